/** Bushings: a sleeve on the second body, and in it a core on the first. */

import * as THREE from "three";
import type { Film, Vec3 } from "../data/film";
import type { Theme } from "../theme/theme";
import { markLength } from "./sizes";

const Z = new THREE.Vector3(0, 0, 1);

export class BushingMarks {
  readonly object = new THREE.Group();
  private readonly core = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0 });
  private readonly sleeve = new THREE.MeshStandardMaterial({ roughness: 0.8, metalness: 0, side: THREE.DoubleSide });
  private readonly marks: { mesh: THREE.Mesh; body: number; local: THREE.Matrix4 }[] = [];
  private readonly matrix = new THREE.Matrix4();

  constructor(film: Film, size: number) {
    const length = markLength(film, size);
    for (const { bodies, points, bushing } of film.actions) {
      if (!bushing) continue;
      const r = length(bodies);
      const turn = new THREE.Quaternion().setFromUnitVectors(Z, new THREE.Vector3(...bushing).normalize());
      this.add(new THREE.CylinderGeometry(0.8 * r, 0.8 * r, 4 * r, 20).rotateX(Math.PI / 2), this.core, bodies[0], points[0], turn);
      this.add(tube(1.3 * r, 2.2 * r, 2.6 * r), this.sleeve, bodies[1], points[1], turn);
    }
  }

  private add(geometry: THREE.BufferGeometry, material: THREE.Material, body: number, point: Vec3, turn: THREE.Quaternion): void {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    const local = new THREE.Matrix4().compose(new THREE.Vector3(...point), turn, new THREE.Vector3(1, 1, 1));
    this.marks.push({ mesh, body, local });
    this.object.add(mesh);
  }

  theme(theme: Theme): void {
    this.core.color.set(theme.joint);
    this.sleeve.color.set(theme.spring);
  }

  /** `matrices`: where bodies are, 16 numbers each. */
  update(matrices: Float32Array): void {
    for (const { mesh, body, local } of this.marks) {
      mesh.matrix.multiplyMatrices(this.matrix.fromArray(matrices, 16 * body), local);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}

/** A tube about z. */
function tube(inner: number, outer: number, length: number): THREE.BufferGeometry {
  const h = 0.5 * length;
  const section = [[inner, -h], [outer, -h], [outer, h], [inner, h], [inner, -h]].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(section, 28).rotateX(Math.PI / 2);
}
