// Machines in a real browser: what is framed, how large marks are, narrow pages, modes, couples, tractions, warnings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, look, open, slide } from "./browser.mjs";
import { carom, place, run } from "./pages.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** A pendulum whose rod has no surface, hung over a ground, and beside it, if asked for, a ring that is a thousand times as small. */
function pendulums(ground, small) {
  const swing = (name, l, x) =>
    `[[body]]\nname = "${name}"\nmass = 1\ninertia = [${l * l}, ${l * l}, ${l * l}]\nposition = [${x + l}, 0, ${2 * l}]\n` +
    `[[joint]]\nname = "${name}-pin"\ntype = "revolute"\nbetween = ["ground", "${name}"]\npoint = [${x}, 0, ${2 * l}]\naxis = [0, 1, 0]\n` +
    `[[force]]\nname = "${name}-spring"\ntype = "spring-damper"\nbetween = ["ground", "${name}"]\npoint_a = [${x + 900 * l}, 0, 0]\npoint_b = [${0.5 * l}, 0, 0]\nstiffness = 1\nrest_length = ${900 * l}\n`;
  return (
    `title = "Pendulums"\nrun = { duration = 0.02, output_every = 0.002 }\n` +
    `[[body]]\nname = "ground"\nfixed = true\nsurface = [{ type = "box", size = [${ground}, ${ground}, 0.001], position = [0, 0, -0.001] }]\n` +
    swing("rod", 0.01, 0) +
    (small ? swing("speck", 0.01 * small, 0.005) : "")
  );
}

const size = (page) => page.evaluate(() => window.carom.world.eye.radius);

test("what moves is framed, and a ground of 100 m does not make it a dot", async () => {
  const found = [];
  for (const ground of [0.05, 100]) {
    const folder = run(`ground-${ground}.toml`, pendulums(ground));
    const { page, wrong, close } = await open(browser, join(folder, "view.html"));
    found.push(await size(page));
    // the rod fills a good part of the picture
    const length = await page.evaluate(() => {
      const { world } = window.carom;
      const p = world.eye.controls.target.clone();
      const [a, b] = [[0, 0, 0.02], [0.01, 0, 0.02]].map((x) => p.clone().fromArray(x).project(world.eye.camera));
      return Math.hypot(b.x - a.x, b.y - a.y);
    });
    assert.ok(length > 0.15, `the rod is ${length} of the picture's half`);
    assert.deepEqual(wrong, []);
    await close();
  }
  assert.ok(found[1] < 3 * found[0] && found[1] < 0.1, `${found}`);
});

test("marks of joints and springs are as their bodies, not as the scene", async () => {
  const folder = run("speck.toml", pendulums(0.05, 1e-2));
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  const { lengths, names } = await page.evaluate(() => {
    const { film, world } = window.carom;
    return { lengths: world.joints.lengths, names: film.joints.map((j) => j.name) };
  });
  const [rod, speck] = [lengths[names.indexOf("rod-pin")], lengths[names.indexOf("speck-pin")]];
  // a hundredth as small, and a small part of the body's 0.1 mm
  assert.ok(speck < 0.02 * rod && speck < 1e-5 && speck > 1e-6, `${rod} ${speck}`);
  // a body without surfaces is a bar between its joints
  const bars = await page.evaluate(() => window.carom.world.bodies.hits("rod"));
  assert.ok(bars >= 2, `${bars} shapes of the rod`);
  assert.deepEqual(wrong, []);
  await close();
});

test("a page of 390 px has no sideways scroll, and every panel and control in reach", async () => {
  const folder = run("governor.toml", null, "run/duration=0.2");
  const { page, wrong, close } = await open(browser, join(folder, "view.html"), { width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas")]
      .filter((e) => e.checkVisibility() && e.getClientRects().length > 0)
      .filter((e) => e.getBoundingClientRect().left < -1 || e.getBoundingClientRect().right > 391)
      .map((e) => e.ariaLabel ?? e.className),
  );
  assert.deepEqual(outside, []);
  // nothing of the bar is covered, and a finger hits it
  for (const name of ["Play or pause (space)", "A frame on (→)", "Show: open or close", "Bodies: open or close"]) {
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(box.width >= 36 && box.height >= 36, `${name}: ${box.width} x ${box.height}`);
  }
  assert.ok((await page.locator("#bar .track").boundingBox()).width > 300);
  // switches and bodies open, one at a time
  assert.equal(await page.locator("#bodies").isVisible(), false);
  await page.getByRole("button", { name: "Bodies: open or close" }).click();
  await page.locator("#bodies button").first().click();
  assert.equal(await page.evaluate(() => window.carom.world.eye.following >= 0), true);
  await page.getByRole("button", { name: "Show: open or close" }).click();
  assert.equal(await page.locator("#bodies").isVisible(), false);
  await page.getByRole("button", { name: "Reactions" }).or(page.getByRole("button", { name: /^Forces and couples/ })).first().click();
  assert.equal(await page.evaluate(() => window.carom.world.joints.showReactions), true);
  await page.getByRole("button", { name: "Play or pause (space)" }).click();
  await page.waitForFunction(() => window.carom.player.time > 0, null, { timeout: 20_000 });
  // plots scroll
  const last = page.locator(".plot").last();
  await last.scrollIntoViewIfNeeded();
  assert.ok((await last.locator(".sheet").boundingBox()).height >= 90);
  assert.deepEqual(wrong, []);
  await close();
});

test("modes swing over their period, each on its own", async () => {
  carom("modes", join(import.meta.dirname, "..", "..", "examples", "engine-mounts.toml"), "-o", "modes");
  carom("view", "modes", "--no-open");
  const { page, wrong, close } = await open(browser, join(place, "modes", "view.html"));
  const count = await page.evaluate(() => window.carom.film.modes.length);
  assert.ok(count >= 6 && (await page.locator(".mode").count()) === count);
  assert.match(await page.locator(".mode").first().textContent(), /^1.*Hz/);
  // it plays at once, and comes back to where it began
  assert.equal(await page.evaluate(() => window.carom.player.playing), true);
  await page.evaluate(() => window.carom.player.pause());
  const at = () => page.evaluate(() => [...window.carom.world.bodies.matrices.slice(0, 15)]);
  const apart = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));
  const states = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    await slide(page, share);
    states.push(await at());
  }
  const way = apart(states[0], states[1]);
  assert.ok(way > 1e-3 && apart(states[0], states[2]) < 1e-6 && apart(states[0], states[4]) < 1e-6, `${way}`);
  for (let i = 12; i < 15; i++) assert.ok(Math.abs(states[1][i] + states[3][i] - 2 * states[0][i]) < 1e-6);
  // another mode moves otherwise
  await page.keyboard.press("m");
  await slide(page, 0.25);
  assert.ok(apart(states[1], await at()) > 1e-3);
  assert.equal(await page.locator(".mode").nth(1).getAttribute("aria-pressed"), "true");
  assert.match(await page.locator("#bar .time").textContent(), /^phase 90°$/);
  assert.deepEqual(wrong, []);
  await close();
});

test("couples of joints are arcs", async () => {
  const folder = run("slider-crank.toml", null);
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  const arcs = () => page.evaluate(() => window.carom.world.joints.couples.object.count);
  await slide(page, 0.35);
  assert.equal(await arcs(), 0);
  await page.keyboard.press("e");
  await page.waitForFunction(() => window.carom.world.joints.couples.object.count > 0);
  const [wanted, radius] = await page.evaluate(() => {
    const { film, world } = window.carom;
    const amount = (m) => Math.hypot(m[3 * world.frame], m[3 * world.frame + 1], m[3 * world.frame + 2]);
    const all = film.joints.map((j) => amount(j.couple));
    const e = world.joints.couples.object.instanceMatrix.array;
    const most = Math.max(...film.joints.flatMap((j) => [...Array(film.t.length).keys()].map((k) => Math.hypot(j.couple[3 * k], j.couple[3 * k + 1], j.couple[3 * k + 2]))));
    return [all.filter((m) => m > 1e-3 * most).length, Math.hypot(e[0], e[1], e[2])];
  });
  assert.equal(await arcs(), wanted);
  assert.ok(radius > 0 && Number.isFinite(radius));
  assert.deepEqual(wrong, []);
  await close();
});

test("couples of contacts are arcs", async () => {
  const folder = run("ball-rolls-out.toml", null, "run/duration=0.2");
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  await slide(page, 0.5);
  assert.ok((await page.evaluate(() => window.carom.world.contacts.couples.object.count)) > 0);
  assert.deepEqual(wrong, []);
  await close();
});

test("damping of fields is part of the traction that is painted", async () => {
  const plain = readFileSync(join(import.meta.dirname, "..", "..", "examples", "soft-roll.toml"), "utf8");
  const text = plain.replace("\nfriction = { exponent", "\ndamping = { exponent = 2, coefficient = 1 }\nfriction = { exponent");
  const folder = run("damped-roll.toml", text, "run/duration=0.3");
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  assert.match(await page.locator("#legend").textContent(), /damping/);
  const damped = await page.evaluate(() => window.carom.film.fields[0].damping.length);
  assert.ok(damped > 100, `${damped}`);
  // while the roll falls, its points approach the floor as fast as it does
  await slide(page, 0.2);
  const [rate, velocity] = await page.evaluate(() => {
    const { film, world } = window.carom;
    const { rates, fields } = world.fields.painted[0];
    const body = fields[0].bodies[0];
    const m = world.bodies.matrices.slice(16 * body + 12, 16 * body + 15);
    const k = world.frame;
    const n = world.fields.painted[0].planes[0];
    const v = film.bodies[body].velocity;
    return [rates[0].x * m[0] + rates[0].y * m[1] + rates[0].z * m[2] + rates[0].w, n.x * v[3 * k] + n.y * v[3 * k + 1] + n.z * v[3 * k + 2]];
  });
  assert.ok(Math.abs(velocity) > 0.05 && Math.abs(rate - velocity) < 0.02 * Math.abs(velocity), `${rate} ${velocity}`);
  const before = await look(page);
  await page.evaluate(() => {
    const { world } = window.carom;
    world.fields.painted[0].rates[0].set(0, 0, 0, 0);
    world.fields.update = () => {};
    world.draw();
  });
  assert.notEqual((await look(page)).sum, before.sum);
  assert.deepEqual(wrong, []);
  await close();
});

test("warnings fold away, and long legends scroll", async () => {
  // two balls that pass through each other without a contact
  const folder = run(
    "overlap.toml",
    `title = "Overlap"\nrun = { duration = 0.01, output_every = 0.001 }\n` +
      [...Array(14).keys()].map((i) => `[[body]]\nname = "ball ${i}"\nmass = 1\nposition = [${0.05 * i}, 0, 0.0199]\nsurface = [{ type = "sphere", radius = 0.02 }]\n`).join("") +
      `[[body]]\nname = "ghost"\nmass = 1\nposition = [0.01, 0, 0.02]\nsurface = [{ type = "sphere", radius = 0.02 }]\n` +
      `[[body]]\nname = "floor"\nfixed = true\nsurface = [{ type = "plane" }]\n` +
      `[[contact]]\nbetween = ["*", "floor"]\nnormal = { law = "flores", restitution = 0.7, stiffness = 1e6 }\n`,
  );
  const { page, wrong, close } = await open(browser, join(folder, "view.html"), { width: 900, height: 560 });
  const fold = page.locator("details.warnings");
  assert.match(await fold.locator("summary").textContent(), /^\d+ warnings?$/);
  assert.equal(await fold.locator("li").first().isVisible(), false);
  assert.ok((await fold.boundingBox()).height < 44);
  await fold.locator("summary").click();
  assert.equal(await fold.locator("li").first().isVisible(), true);
  const keys = page.locator(".plot", { hasText: "Contact force" }).locator(".keys");
  const [scroll, client, fades] = await keys.evaluate((e) => [e.scrollHeight, e.clientHeight, e.classList.contains("longer")]);
  assert.ok(scroll > client + 10 && client <= 90 && fades, `${scroll} ${client} ${fades}`);
  assert.ok((await page.locator(".plot", { hasText: "Contact force" }).locator(".sheet").boundingBox()).height >= 76);
  await keys.evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await page.waitForFunction(() => ![...document.querySelectorAll(".keys")].some((e) => e.scrollTop > 0 && e.classList.contains("longer")));
  assert.deepEqual(wrong, []);
  await close();
});
