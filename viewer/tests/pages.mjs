// Pages to look at: runs of the program itself. CAROM: where it is.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
export const CAROM = process.env.CAROM ?? join(ROOT, "target", "debug", "carom");
export const place = mkdtempSync(join(tmpdir(), "carom-viewer-"));
process.on("exit", () => rmSync(place, { recursive: true, force: true }));

export function carom(...args) {
  return execFileSync(CAROM, args, { cwd: place, encoding: "utf8" });
}

/** Runs a scene, and writes its page; the folder of its results. */
export function run(name, text, ...set) {
  const file = text === null ? join(ROOT, "examples", name) : join(place, name);
  if (text !== null) writeFileSync(file, text);
  carom("view", file, "--no-open", ...set.flatMap((s) => ["--set", s]));
  return join(place, "out", name.replace(/\.(toml|json)$/, ""));
}

/** The same, of a run that may fail. */
export function tried(name, ...set) {
  const file = join(ROOT, "examples", name);
  const { status } = spawnSync(CAROM, ["view", file, "--no-open", ...set.flatMap((s) => ["--set", s])], { cwd: place });
  return { folder: join(place, "out", name.replace(/\.toml$/, "")), status };
}

/** The lines of a CSV file of a folder as numbers by column; names without commas. */
export function table(folder, file) {
  const [header, ...lines] = readFileSync(join(folder, file), "utf8").trim().split("\n");
  const columns = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((x, i) => [columns[i], Number(x)])));
}

/** A thousand balls over a floor, of which some touch it. */
export function thousand() {
  const bodies = [];
  for (let i = 0; i < 1000; i++) {
    const [x, y] = [(i % 32) * 0.06, Math.floor(i / 32) * 0.06];
    const z = i % 20 === 0 ? 0.024 : 0.1 + 0.3 * ((i * 0.618) % 1);
    bodies.push(
      `[[body]]\nname = "ball ${i}"\nmass = 0.01\nposition = [${x}, ${y}, ${z}]\nvelocity = [0.2, ${(i % 7) / 10}, 0]\n` +
        `angular_velocity = [${i % 11}, 3, 0]\nsurface = [{ type = "sphere", radius = 0.02 }]\n`,
    );
  }
  return (
    `title = "A thousand balls"\nrun = { duration = 0.1, output_every = 1e-3, rtol = 1e-6 }\n${bodies.join("")}` +
    `[[body]]\nname = "floor"\nfixed = true\nsurface = [{ type = "plane" }]\n` +
    `[[contact]]\nbetween = ["*", "floor"]\nnormal = { law = "flores", restitution = 0.7, stiffness = 1e6 }\n`
  );
}
