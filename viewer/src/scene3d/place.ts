/** Where a part is on its body. */

import * as THREE from "three";
import type { Part } from "../data/film";

export function matrix(part: Part): THREE.Matrix4 {
  const [x, y, z] = part.position;
  const r = part.rotation;
  return new THREE.Matrix4().set(r[0], r[1], r[2], x, r[3], r[4], r[5], y, r[6], r[7], r[8], z, 0, 0, 0, 1);
}
