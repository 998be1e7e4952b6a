/** A film, as the page holds it: what `carom view` wrote of a run. SI units, world frame. */

export type Vec3 = [number, number, number];

/** How a part looks. */
export type Look = "solid" | "shell" | "plane" | "decoration";

/** Triangles in a frame of their own. */
export interface Mesh {
  vertices: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
}

/** A mesh on a body. */
export interface Part {
  name: string;
  kind: string;
  mesh: number;
  look: Look;
  position: Vec3;
  /** row by row */
  rotation: number[];
  /** closed lines around a ring, three numbers a point */
  slices: Float32Array[];
}

/** A body; what goes with the time has an entry a frame. */
export interface Body {
  name: string;
  /** its number in the palette; `null`: ground */
  colour: number | null;
  /** whether it moves by its forces, not as prescribed */
  free: boolean;
  parts: Part[];
  /** position and quaternion w x y z of one that stays */
  fixed: [Vec3, [number, number, number, number]] | null;
  position: Float32Array;
  velocity: Float32Array;
  /** w x y z */
  quaternion: Float32Array | null;
  /** angular velocity */
  spin: Float32Array | null;
  /** F, row by row */
  deformation: Float32Array | null;
  /** the rate of F */
  deformationRate: Float32Array | null;
}

export interface Probe {
  name: string;
  position: Float32Array;
  velocity: Float32Array;
}

/** The mark of a joint: a solid about its axis z, or a rod between its points. Lengths are multiples of one that all marks share. */
export type Glyph =
  | { shape: "ball"; radius: number }
  | { shape: "cylinder"; radius: number; length: number }
  | { shape: "box"; edges: Vec3 }
  | { shape: "octahedron"; radius: number }
  | { shape: "rod"; radius: number };

export interface Joint {
  name: string;
  kind: string;
  glyph: Glyph;
  bodies: [number, number];
  points: [Vec3, Vec3];
  axis: Vec3 | null;
  force: Float32Array;
  couple: Float32Array;
}

export interface Line {
  name: string;
  bodies: [number, number];
  points: [Vec3, Vec3];
}

/** A force or a couple at a point: a load, a motor, a spring along a coordinate, a bushing. */
export interface Action {
  name: string;
  /** of a load on one body, that one twice */
  bodies: [number, number];
  points: [Vec3, Vec3];
  /** the axis of a bushing, on its second body; `null`: it is none */
  bushing: Vec3 | null;
  /** which of the bodies force and couple are on */
  end: 0 | 1;
  /** at its point, an entry a frame; empty: not recorded */
  force: Float32Array;
  couple: Float32Array;
}

export interface Field {
  name: string;
  bodies: [number, number];
  position: Vec3;
  normal: Vec3;
  /** height, traction, height, traction … */
  tractions: Float64Array;
  /** height, damping, height, damping …; empty: it does not damp */
  damping: Float64Array;
}

/** A mode shape over one period: its frames from `first` to `last`, which is as the first. */
export interface Mode {
  kind: string;
  frequency: number;
  damping_ratio: number | null;
  shape: string;
  first: number;
  last: number;
}

/** Numbers of a contact point in `Contacts.values`. */
export const CONTACT = { point: 0, normal: 3, delta: 6, force: 7, friction: 8, couple: 11, size: 14 } as const;

export interface Contacts {
  names: string[];
  features: string[];
  /** where the points of every frame begin, and the end of the last */
  starts: Uint32Array;
  contact: Uint32Array;
  feature: Uint32Array;
  values: Float32Array;
}

export interface Event {
  t: number;
  kind: string;
  contact: string;
  feature: string;
  speed: number | null;
}

/** A recorded number in time. */
export interface Series {
  name: string;
  group: string;
  unit: string;
  values: Float64Array | Float32Array;
}

export type Box = [Vec3, Vec3];

export interface Film {
  title: string;
  notices: string[];
  t: Float64Array;
  meshes: Mesh[];
  bodies: Body[];
  probes: Probe[];
  joints: Joint[];
  lines: Line[];
  actions: Action[];
  fields: Field[];
  contacts: Contacts;
  events: Event[];
  series: Series[];
  bounds: Box | null;
  start: Box | null;
  gravity: Vec3;
  /** mode shapes that are shown instead of a run */
  modes: Mode[];
}
