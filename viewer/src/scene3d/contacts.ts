/** Contact points: where, along which normal, with what force. */

import * as THREE from "three";
import { CONTACT, type Film } from "../data/film";
import type { Theme } from "../theme/theme";
import { Arrows, Points } from "./arrows";
import { bodySizes, middling } from "./sizes";
import { greatest, Turns } from "./turns";

/** A couple below this share of the greatest is rounding. */
const NOISE = 1e-3;

/** The bodies of a contact `body/surface~body/surface`, by number; −1: not known. */
export function bodiesOf(film: Film, contact: string): [number, number] {
  const number = new Map(film.bodies.map((b, i) => [b.name, i]));
  // a name may have a `~` in it: the split that gives two bodies is meant
  for (let i = contact.indexOf("~"); i >= 0; i = contact.indexOf("~", i + 1)) {
    const ends = [contact.slice(0, i), contact.slice(i + 1)].map((end) => number.get(end.split("/")[0]) ?? -1);
    if (ends[0] >= 0 && ends[1] >= 0) return [ends[0], ends[1]];
  }
  return [-1, -1];
}

/** A force that most are below: its arrow has the usual length. */
export function usualForce(values: Float32Array): number {
  const forces: number[] = [];
  const stride = CONTACT.size * Math.max(1, Math.ceil(values.length / CONTACT.size / 50_000));
  for (let i = CONTACT.force; i < values.length; i += stride) if (values[i] > 0) forces.push(values[i]);
  forces.sort((a, b) => a - b);
  return forces.length > 0 ? forces[Math.floor(0.9 * (forces.length - 1))] : 0;
}

/** The radius of the smallest part that moves. */
function smallest(film: Film): number {
  let least = Infinity;
  const known = new Map<number, number>();
  for (const { parts } of film.bodies.filter((b) => b.free)) {
    for (const { mesh, look } of parts) {
      if (look !== "solid") continue;
      const radius = known.get(mesh) ?? film.meshes[mesh].vertices.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      known.set(mesh, radius);
      least = Math.min(least, radius);
    }
  }
  return least;
}

export class ContactMarks {
  readonly object = new THREE.Group();
  readonly forces: Arrows;
  readonly frictions: Arrows;
  readonly normals: Arrows;
  readonly points: Points;
  readonly couples: Turns;
  /** times the usual length of arrows */
  scale = 1;
  showNormals = false;
  showForces = true;
  private readonly usual: number;
  private readonly greatestCouple: number;
  /** the length that arrows are measured by [m]: the scene's, unless bodies are far smaller */
  readonly reach: number;
  /** −1: the force on the first body is drawn, +1: that on the second */
  private readonly sign: Int8Array;

  constructor(
    private readonly film: Film,
    size: number,
  ) {
    this.reach = Math.min(size, 4 * middling(film, bodySizes(film), size));
    const { starts } = film.contacts;
    let most = 0;
    for (let i = 0; i + 1 < starts.length; i++) most = Math.max(most, starts[i + 1] - starts[i]);
    most = Math.min(most, 20_000);
    // many arrows are thin ones, and none hides a small body
    const thick = Math.max(Math.min(this.reach * (most > 200 ? 0.0016 : 0.0042), 0.1 * smallest(film)), 0.001 * this.reach);
    this.forces = new Arrows(most, thick);
    this.frictions = new Arrows(most, thick);
    this.normals = new Arrows(most, 0.6 * thick);
    this.points = new Points(most, 1.7 * thick);
    this.couples = new Turns(most);
    this.object.add(this.normals.object, this.forces.object, this.frictions.object, this.points.object, this.couples.object);
    this.greatestCouple = greatest(film.contacts.values, CONTACT.size, CONTACT.couple);
    this.usual = usualForce(film.contacts.values);
    // on the body that forces move; between two of them, on the first
    this.sign = Int8Array.from(film.contacts.names, (name) => {
      const [a] = bodiesOf(film, name);
      return a >= 0 && !film.bodies[a].free ? 1 : -1;
    });
  }

  theme(theme: Theme): void {
    this.forces.material.color.set(theme.force);
    this.frictions.material.color.set(theme.friction);
    this.normals.material.color.set(theme.normal);
    this.points.material.color.set(theme.force);
    this.couples.material.color.set(theme.couple);
  }

  /** The length of a force's arrow, cut where it would leave the picture. */
  private length(force: number): number {
    return this.usual > 0 ? Math.min((0.22 * this.scale * force) / this.usual, 0.9) * this.reach : 0;
  }

  update(frame: number): void {
    const { values, starts, contact } = this.film.contacts;
    const { forces, frictions, normals, points } = this;
    forces.begin();
    frictions.begin();
    normals.begin();
    points.begin();
    this.couples.begin();
    const end = frame + 1 < starts.length ? starts[frame + 1] : 0;
    for (let k = frame < starts.length ? starts[frame] : 0; k < end; k++) {
      const i = CONTACT.size * k;
      const x = values[i];
      const y = values[i + 1];
      const z = values[i + 2];
      const nx = values[i + 3];
      const ny = values[i + 4];
      const nz = values[i + 5];
      const sign = this.sign[contact[k]];
      points.add(x, y, z);
      if (this.showForces) {
        const f = sign * this.length(values[i + CONTACT.force]);
        forces.add(x, y, z, f * nx, f * ny, f * nz);
        const tx = values[i + 8];
        const ty = values[i + 9];
        const tz = values[i + 10];
        const t = Math.hypot(tx, ty, tz);
        const g = t > 0 ? (-sign * this.length(t)) / t : 0;
        frictions.add(x, y, z, g * tx, g * ty, g * tz);
        this.couple(x, y, z, i + CONTACT.couple, -sign);
      }
      if (this.showNormals) {
        const l = sign * 0.12 * this.reach;
        normals.add(x, y, z, l * nx, l * ny, l * nz);
      }
    }
    forces.end();
    frictions.end();
    normals.end();
    points.end();
    this.couples.end();
  }

  /** A couple on the same body as the force. */
  private couple(x: number, y: number, z: number, at: number, sign: number): void {
    const { values } = this.film.contacts;
    const size = Math.hypot(values[at], values[at + 1], values[at + 2]);
    if (!(size > NOISE * this.greatestCouple)) return;
    const s = (sign * 0.09 * this.scale * this.reach) / this.greatestCouple;
    this.couples.add(x, y, z, s * values[at], s * values[at + 1], s * values[at + 2]);
  }
}
