/** The slices of rings: lines around them, bright where they touch. */

import * as THREE from "three";
import type { Film } from "../data/film";
import type { Theme } from "../theme/theme";
import { matrix } from "./place";

interface Ring {
  body: number;
  local: THREE.Matrix4;
  lines: THREE.LineSegments;
  /** pairs of points a slice */
  points: number;
  count: number;
  /** `body/surface`, as contacts are called */
  name: string;
}

export class SliceMarks {
  readonly object = new THREE.Group();
  private readonly rings: Ring[] = [];
  private readonly quiet = new THREE.Color();
  private readonly touching = new THREE.Color();
  private readonly place = new THREE.Matrix4();
  /** the number in `slice 7`, by feature; −1: none */
  private readonly numbers: Int32Array;

  constructor(private readonly film: Film) {
    this.numbers = Int32Array.from(film.contacts.features, (name) => Number(/^slice (\d+)$/.exec(name)?.[1] ?? -1));
    film.bodies.forEach((body, b) => {
      for (const part of body.parts) {
        if (part.slices.length === 0) continue;
        const points = 2 * (part.slices[0].length / 3 - 1);
        const positions = new Float32Array(3 * points * part.slices.length);
        let at = 0;
        for (const slice of part.slices) {
          for (let k = 0; k + 3 < slice.length; k += 3) {
            positions.set(slice.subarray(k, k + 6), at);
            at += 6;
          }
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(positions.length), 3));
        const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75, polygonOffset: true });
        const lines = new THREE.LineSegments(geometry, material);
        // a hair's breadth off the surface
        lines.matrixAutoUpdate = false;
        lines.frustumCulled = false;
        lines.renderOrder = 1;
        this.rings.push({ body: b, local: matrix(part), lines, points, count: part.slices.length, name: `${body.name}/${part.name}` });
        this.object.add(lines);
      }
    });
  }

  get any(): boolean {
    return this.rings.length > 0;
  }

  theme(theme: Theme): void {
    this.quiet.set(theme.slice);
    this.touching.set(theme.force);
  }

  update(matrices: Float32Array, frame: number): void {
    if (!this.object.visible) return;
    const { contacts } = this.film;
    for (const ring of this.rings) {
      ring.lines.matrix.multiplyMatrices(this.place.fromArray(matrices, 16 * ring.body), ring.local);
      ring.lines.matrixWorldNeedsUpdate = true;
      const attribute = ring.lines.geometry.getAttribute("color") as THREE.BufferAttribute;
      const out = attribute.array as Float32Array;
      for (let i = 0; i < out.length; i += 3) this.quiet.toArray(out, i);
      const end = frame + 1 < contacts.starts.length ? contacts.starts[frame + 1] : 0;
      for (let k = frame < contacts.starts.length ? contacts.starts[frame] : 0; k < end; k++) {
        const s = this.numbers[contacts.feature[k]];
        if (s < 0 || s >= ring.count || !contacts.names[contacts.contact[k]].includes(ring.name)) continue;
        for (let i = 0; i < ring.points; i++) this.touching.toArray(out, 3 * (s * ring.points + i));
      }
      attribute.needsUpdate = true;
    }
  }
}
