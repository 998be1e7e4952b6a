/** Tractions of short-range fields as the colour of the boundary they act on. */

import * as THREE from "three";
import type { Film } from "../data/film";
import { traction } from "../data/sample";
import { colour } from "../theme/theme";
import type { Bodies } from "./bodies";

/** From none to the greatest repulsion, and the greatest attraction. */
export const REPULSION = ["#f2d16b", "#e8743b", "#b3123a"];
export const ATTRACTION = ["#9fd0e6", "#3f83c4", "#1b3f94"];

export class FieldColours {
  on = true;
  /** the greatest traction that is shown [N/m²] */
  readonly greatest: number;
  private readonly plain = new THREE.Color();
  private readonly mixed = new THREE.Color();
  private readonly ramps = [ATTRACTION, REPULSION].map((ramp) => ramp.map((c) => new THREE.Color(c)));
  private readonly n = new THREE.Vector3();
  private readonly p = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(
    private readonly film: Film,
    private readonly bodies: Bodies,
  ) {
    // what acts at the least gap of the run
    let greatest = 0;
    for (const field of film.fields) {
      const gaps = film.series.find((s) => s.name === `${field.name}.gap`)?.values ?? new Float64Array(0);
      let least = Infinity;
      for (const gap of gaps) if (gap > 0 && gap < least) least = gap;
      if (!Number.isFinite(least)) least = field.tractions[Math.floor(field.tractions.length / 4) * 2] ?? 1;
      greatest = Math.max(greatest, Math.abs(traction(field.tractions, least)));
    }
    this.greatest = greatest;
  }

  update(): void {
    for (const field of this.film.fields) {
      const meshes = this.bodies.painted.get(field.bodies[0]);
      if (!meshes) continue;
      this.matrix.fromArray(this.bodies.matrices, 16 * field.bodies[1]);
      this.p.set(...field.position).applyMatrix4(this.matrix);
      this.n.set(...field.normal).transformDirection(this.matrix);
      this.plain.set(colour(this.film.bodies[field.bodies[0]].colour ?? 0));
      for (const mesh of meshes) this.paint(mesh, field.tractions);
    }
  }

  private paint(mesh: THREE.Mesh, table: Float64Array): void {
    const x = mesh.geometry.getAttribute("position").array;
    const attribute = mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
    const out = attribute.array as Float32Array;
    const e = mesh.matrix.elements;
    const { n, p } = this;
    // the height of a vertex over the plane is linear in its place on the body
    const a = n.x * e[0] + n.y * e[1] + n.z * e[2];
    const b = n.x * e[4] + n.y * e[5] + n.z * e[6];
    const c = n.x * e[8] + n.y * e[9] + n.z * e[10];
    const d = n.x * (e[12] - p.x) + n.y * (e[13] - p.y) + n.z * (e[14] - p.z);
    for (let i = 0; i < x.length; i += 3) {
      const q = this.on ? traction(table, a * x[i] + b * x[i + 1] + c * x[i + 2] + d) : 0;
      // powers of the gap go over orders of magnitude: a root, so that more than the last is seen
      const s = this.greatest > 0 ? Math.min(Math.abs(q) / this.greatest, 1) ** 0.35 : 0;
      const ramp = this.ramps[q > 0 ? 1 : 0];
      if (s < 1 / 3) this.mixed.lerpColors(this.plain, ramp[0], 3 * s);
      else if (s < 2 / 3) this.mixed.lerpColors(ramp[0], ramp[1], 3 * s - 1);
      else this.mixed.lerpColors(ramp[1], ramp[2], 3 * s - 2);
      out[i] = this.mixed.r;
      out[i + 1] = this.mixed.g;
      out[i + 2] = this.mixed.b;
    }
    attribute.needsUpdate = true;
  }
}
