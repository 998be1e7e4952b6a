/** What is under the pointer: a contact point near it, or a body. */

import * as THREE from "three";
import { CONTACT, type Film } from "../data/film";
import type { Bodies } from "./bodies";

export type Picked = { kind: "contact"; index: number } | { kind: "joint"; index: number } | { kind: "body"; body: number; part: string };

/** So near is near enough [px]. */
const NEAR = 9;

export class Picker {
  private readonly ray = new THREE.Raycaster();
  private readonly at = new THREE.Vector2();
  private readonly p = new THREE.Vector3();
  private readonly m = new THREE.Matrix4();

  constructor(
    private readonly film: Film,
    private readonly bodies: Bodies,
    private readonly camera: THREE.Camera,
  ) {}

  /** `x`, `y`: in the picture [px]. */
  pick(x: number, y: number, width: number, height: number, frame: number, contacts: boolean, joints: boolean): Picked | null {
    const { film, p } = this;
    let best = NEAR;
    let found: Picked | null = null;
    const near = (kind: "contact" | "joint", index: number) => {
      p.project(this.camera);
      const d = Math.hypot(((p.x + 1) / 2) * width - x, ((1 - p.y) / 2) * height - y);
      if (p.z < 1 && d < best) {
        best = d;
        found = { kind, index };
      }
    };
    if (contacts && frame + 1 < film.contacts.starts.length) {
      for (let k = film.contacts.starts[frame]; k < film.contacts.starts[frame + 1]; k++) {
        p.fromArray(film.contacts.values, CONTACT.size * k);
        near("contact", k);
      }
    }
    if (joints) {
      film.joints.forEach((joint, i) => {
        p.set(...joint.points[1]).applyMatrix4(this.m.fromArray(this.bodies.matrices, 16 * joint.bodies[1]));
        near("joint", i);
      });
    }
    if (found) return found;
    this.at.set((2 * x) / width - 1, 1 - (2 * y) / height);
    this.ray.setFromCamera(this.at, this.camera);
    const hits = this.ray.intersectObjects(this.bodies.targets, false);
    for (const hit of hits) {
      if (!hit.object.visible) continue;
      const body = this.bodies.hit(hit.object, hit.instanceId);
      if (body) return { kind: "body", ...body };
    }
    return null;
  }
}
