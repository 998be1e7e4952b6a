/** From the texts in the page to a film. */

import type { Action, Body, Film, Joint, Mesh, Part, Probe, Series } from "./film";

/** Where numbers begin, in bytes, and how many they are. */
type Range = [number, number];

/** What of a film is named by range, as JSON has it. */
// deno-lint-ignore no-explicit-any
type Raw = Record<string, any>;

/** The bytes of a text of base 64. */
export function bytes(text: string): ArrayBuffer {
  const trimmed = text.trim();
  const padding = trimmed.endsWith("==") ? 2 : trimmed.endsWith("=") ? 1 : 0;
  const out = new Uint8Array((trimmed.length / 4) * 3 - padding);
  // in pieces: one text of very many letters is more than engines like
  const piece = 1 << 20;
  let at = 0;
  for (let i = 0; i < trimmed.length; i += piece) {
    const letters = atob(trimmed.slice(i, i + piece));
    for (let k = 0; k < letters.length; k++) out[at++] = letters.charCodeAt(k);
  }
  return out.buffer;
}

/** The film of a page. Of one without any: nothing, with a notice. */
export function decode(json: string, numbers: string): Film {
  const raw: Raw | null = JSON.parse(json);
  if (raw === null) return nothing();
  const data = bytes(numbers);
  const f32 = ([at, n]: Range) => new Float32Array(data, at, n);
  const f64 = ([at, n]: Range) => new Float64Array(data, at, n);
  const u32 = ([at, n]: Range) => new Uint32Array(data, at, n);
  const none = new Float32Array(0);
  const part = (p: Raw): Part => ({ ...(p as Part), slices: p.slices.map(f32) });
  const body = (b: Raw): Body => ({
    name: b.name,
    colour: b.colour,
    free: b.free,
    parts: b.parts.map(part),
    fixed: b.fixed ?? null,
    position: b.position ? f32(b.position) : none,
    velocity: b.velocity ? f32(b.velocity) : none,
    quaternion: b.quaternion ? f32(b.quaternion) : null,
    spin: b.spin ? f32(b.spin) : null,
    deformation: b.deformation ? f32(b.deformation) : null,
    deformationRate: b.deformation_rate ? f32(b.deformation_rate) : null,
  });
  return {
    title: raw.title,
    notices: raw.notices,
    t: f64(raw.t),
    meshes: raw.meshes.map(
      (m: Raw): Mesh => ({ vertices: f32(m.vertices), normals: f32(m.normals), triangles: u32(m.triangles) }),
    ),
    bodies: raw.bodies.map(body),
    probes: raw.probes.map((p: Raw): Probe => ({ name: p.name, position: f32(p.position), velocity: f32(p.velocity) })),
    joints: raw.joints.map((j: Raw): Joint => ({ ...(j as Joint), force: f32(j.force), couple: f32(j.couple) })),
    lines: raw.lines,
    actions: raw.actions.map((a: Raw): Action => ({ ...(a as Action), force: f32(a.force), couple: f32(a.couple) })),
    fields: raw.fields.map((f: Raw) => ({ ...f, tractions: f64(f.tractions), damping: f64(f.damping) })),
    contacts: {
      names: raw.contacts.names,
      features: raw.contacts.features,
      starts: u32(raw.contacts.starts),
      contact: u32(raw.contacts.contact),
      feature: u32(raw.contacts.feature),
      values: f32(raw.contacts.values),
    },
    events: raw.events,
    series: raw.series.map((s: Raw): Series => ({ ...(s as Series), values: f64(s.values) })),
    bounds: raw.bounds,
    start: raw.start,
    gravity: raw.gravity,
    modes: raw.modes,
  };
}

function nothing(): Film {
  const u32 = () => new Uint32Array(0);
  const contacts = { names: [], features: [], starts: u32(), contact: u32(), feature: u32(), values: new Float32Array(0) };
  return {
    title: "Carom",
    notices: ["This page has no run in it: `carom view` puts one there."],
    t: new Float64Array(0),
    meshes: [],
    bodies: [],
    probes: [],
    joints: [],
    lines: [],
    actions: [],
    fields: [],
    contacts,
    events: [],
    series: [],
    bounds: null,
    start: null,
    gravity: [0, 0, -9.81],
    modes: [],
  };
}
