/** How large bodies are: marks and arrows are sized by the bodies they are on, not by the scene. */

import * as THREE from "three";
import type { Film, Vec3 } from "../data/film";
import { matrix } from "./place";

/** The diagonal of the box around what is drawn of each body [m]: its parts but planes, the points where joints and springs hold it; 0: neither. */
export function bodySizes(film: Film): number[] {
  const boxes = film.bodies.map(() => new THREE.Box3());
  const known = new Map<number, THREE.Box3>();
  film.bodies.forEach((body, b) => {
    for (const part of body.parts) {
      if (part.look === "plane") continue;
      let box = known.get(part.mesh);
      if (!box) {
        box = new THREE.Box3().setFromArray(film.meshes[part.mesh].vertices);
        known.set(part.mesh, box);
      }
      boxes[b].union(box.clone().applyMatrix4(matrix(part)));
    }
  });
  const p = new THREE.Vector3();
  for (const { bodies, points } of holds(film)) {
    for (const end of [0, 1]) boxes[bodies[end]].expandByPoint(p.set(...points[end]));
  }
  return boxes.map((box) => (box.isEmpty() ? 0 : box.getSize(p).length()));
}

/** What holds a body at a point: joints, springs, bushings. */
export function holds(film: Film): { bodies: [number, number]; points: [Vec3, Vec3] }[] {
  return [...film.joints, ...film.lines, ...film.actions.filter((a) => a.bushing)];
}

/** The size of the smaller of the bodies that move, of those named; without any, `otherwise`. */
export function smaller(film: Film, sizes: number[], bodies: number[], otherwise: number): number {
  const moving = bodies.filter((b) => b >= 0 && !film.bodies[b].fixed && sizes[b] > 0).map((b) => sizes[b]);
  return moving.length > 0 ? Math.min(...moving) : otherwise;
}

/** The length that the marks of a joint, a spring or a bushing are multiples of: of the size of the smaller body, and at most of the scene's. */
const OF_BODY = 0.045;
const OF_SCENE = 0.013;

/** That length of what holds these bodies together [m]. */
export function markLength(film: Film, size: number): (bodies: number[]) => number {
  const sizes = bodySizes(film);
  return (bodies) => Math.min(OF_SCENE * size, OF_BODY * smaller(film, sizes, bodies, size));
}

/** The middle one of the sizes of bodies that move; without any, `otherwise`. */
export function middling(film: Film, sizes: number[], otherwise: number): number {
  const moving = sizes.filter((size, b) => size > 0 && !film.bodies[b].fixed).sort((a, b) => a - b);
  return moving.length > 0 ? moving[moving.length >> 1] : otherwise;
}
