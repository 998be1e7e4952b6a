/** What can be plotted: recorded series, and the motion of bodies and probes. */

import type { Body, Film, Series } from "../data/film";

/** A choice of the list: a title, and the curves it stands for. */
export interface Choice {
  group: string;
  title: string;
  make: () => Series[];
}

const AXES = ["x", "y", "z"];

/** Every `size`-th number, from `at` on. */
export function component(values: Float32Array, size: number, at: number): Float32Array {
  const out = new Float32Array(values.length / size);
  for (let i = 0; i < out.length; i++) out[i] = values[size * i + at];
  return out;
}

function vector(name: string, group: string, unit: string, values: Float32Array, letters: string[]): Series[] {
  return letters.map((letter, k) => ({ name: `${name}.${letter}`, group, unit, values: component(values, letters.length, k) }));
}

/** The largest amount. */
function size(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]) > most) most = Math.abs(values[i]);
  return most;
}

/** Those in which something happens beside what happens in the others: not rounding alone. */
function telling(all: Series[]): Series[] {
  const most = all.reduce((m, s) => Math.max(m, size(s.values)), 0);
  return all.filter((s) => size(s.values) > 1e-9 * most);
}

/** The coordinates of joints that change, of that unit; full turns are counted. */
function joints(film: Film, unit: string): Series[] {
  const moves = ({ values }: Series) => values.some((x) => Math.abs(x - values[0]) > 1e-9);
  return film.series.filter((s) => s.group === "joint" && s.unit === unit && moves(s));
}

/** How far a body goes. */
function way({ position }: Body): number {
  let most = 0;
  for (let i = 0; i < position.length; i++) most = Math.max(most, Math.abs(position[i] - position[i % 3]));
  return most;
}

/** All choices; the first are shown at the start. */
export function choices(film: Film): { all: Choice[]; first: Choice[] } {
  const all: Choice[] = [];
  const add = (group: string, title: string, make: () => Series[]) => {
    const choice = { group, title, make };
    all.push(choice);
    return choice;
  };
  const first: Choice[] = [];
  const energies = telling(film.series.filter((s) => s.group === "energy" && s.name !== "audit"));
  if (energies.length > 0) first.push(add("energy", "Energy", () => energies));
  const audit = film.series.find((s) => s.name === "audit");
  if (audit) add("energy", "Energy audit", () => [audit]);
  const forces = film.series.filter((s) => s.group === "contact force");
  if (forces.length > 0) first.push(add("contact force", "Contact force", () => forces));
  const gaps = film.series.filter((s) => s.group === "field" && s.name.endsWith(".gap"));
  if (gaps.length > 0) first.push(add("field", "Gaps", () => gaps));
  const turned = joints(film, "rad");
  if (turned.length > 0) first.push(add("joint", "Joint angles", () => turned.slice(0, 8)));
  const slid = joints(film, "m");
  if (slid.length > 0) {
    const displacements = add("joint", "Joint displacements", () => slid.slice(0, 8));
    if (turned.length === 0) first.push(displacements);
  }
  const held = telling(film.series.filter((s) => s.group === "joint" && s.unit === "N" && s.name.endsWith(" force")));
  if (held.length > 0) {
    const forces = add("joint", "Forces in joints", () => held.slice(0, 8));
    if (first.length < 3) first.push(forces);
  }
  // that which goes farthest tells most
  const main = film.bodies.filter((b) => b.colour !== null).reduce<Body | null>((a, b) => (a && way(a) >= way(b) ? a : b), null);
  for (const body of film.bodies) {
    if (body.fixed || body.position.length === 0) continue;
    const { name } = body;
    const position = add("motion", `${name}: position`, () => vector(name, "motion", "m", body.position, AXES));
    if (first.length < 3 && body === main) first.push(position);
    add("motion", `${name}: velocity`, () => vector(name, "motion", "m/s", body.velocity, ["vx", "vy", "vz"]));
    const { spin, quaternion, deformation } = body;
    if (spin) add("motion", `${name}: angular velocity`, () => vector(name, "motion", "rad/s", spin, ["wx", "wy", "wz"]));
    if (quaternion) add("motion", `${name}: quaternion`, () => vector(name, "motion", "", quaternion, ["qw", "qx", "qy", "qz"]));
    if (deformation) add("motion", `${name}: deformation F`, () => vector(name, "motion", "", deformation, ["F11", "F12", "F13", "F21", "F22", "F23", "F31", "F32", "F33"]));
  }
  for (const probe of film.probes) {
    add("probe", `${probe.name}: position`, () => vector(probe.name, "probe", "m", probe.position, AXES));
    add("probe", `${probe.name}: velocity`, () => vector(probe.name, "probe", "m/s", probe.velocity, ["vx", "vy", "vz"]));
  }
  for (const s of film.series) add(s.group, s.name, () => [s]);
  return { all, first };
}
