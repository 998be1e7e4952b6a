/** Bars between the joints of a body, where nothing else shows how it is held, and a ball where its mass is. */

import * as THREE from "three";
import type { Film } from "../data/film";

export interface Bar {
  body: number;
  /** of a cylinder of radius and length 1 along z, or of a ball of radius 1 */
  matrix: THREE.Matrix4;
  shape: "bar" | "ball";
}

/** Bars of all bodies that move: between the points at which others hold them, as far as these are off their surfaces. */
export function bars(film: Film, size: number): Bar[] {
  const out: Bar[] = [];
  film.bodies.forEach((body, b) => {
    if (body.fixed) return;
    const held: THREE.Vector3[] = [];
    for (const { bodies, points } of [...film.joints, ...film.lines]) {
      for (const end of [0, 1]) {
        if (bodies[end] !== b) continue;
        const p = new THREE.Vector3(...points[end]);
        if (!held.some((q) => q.distanceTo(p) < 1e-6 * size)) held.push(p);
      }
    }
    const reach = reachOf(film, b);
    // what is within a surface, or near to it, needs no bar
    const off = held.filter((p) => p.length() > 1.02 * reach + 1e-6 * size);
    const ends: [THREE.Vector3, THREE.Vector3][] = [];
    if (reach > 0 || off.length === 1) for (const p of off) ends.push([new THREE.Vector3(), p]);
    else if (off.length === 2) ends.push([off[0], off[1]]);
    else for (let i = 0; i < off.length; i++) ends.push([off[i], off[(i + 1) % off.length]]);
    if (body.parts.length === 0) {
      // a mass off its bars hangs on the nearest point of them
      const off = ends.map(([p, q]) => new THREE.Line3(p, q).closestPointToPoint(new THREE.Vector3(), true, new THREE.Vector3()));
      const nearest = off.sort((p, q) => p.length() - q.length())[0];
      if (nearest && nearest.length() > 0.03 * size) ends.push([nearest, new THREE.Vector3()]);
      const radius = ends.length > 0 ? 0.016 * size : 0.03 * size;
      out.push({ body: b, shape: "ball", matrix: new THREE.Matrix4().makeScale(radius, radius, radius) });
    }
    for (const [p, q] of ends) {
      const length = p.distanceTo(q);
      if (length < 1e-6 * size) continue;
      const along = q.clone().sub(p).divideScalar(length);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along);
      const radius = Math.min(0.009 * size, 0.12 * length);
      const middle = p.clone().add(q).multiplyScalar(0.5);
      out.push({ body: b, shape: "bar", matrix: new THREE.Matrix4().compose(middle, turn, new THREE.Vector3(radius, radius, length)) });
    }
  });
  return out;
}

/** How far a body's parts reach from its reference point, about. */
function reachOf(film: Film, b: number): number {
  let reach = 0;
  const point = new THREE.Vector3();
  for (const part of film.bodies[b].parts) {
    if (part.look === "plane") continue;
    const { vertices } = film.meshes[part.mesh];
    const r = part.rotation;
    for (let i = 0; i < vertices.length; i += 3) {
      const [x, y, z] = [vertices[i], vertices[i + 1], vertices[i + 2]];
      point.set(
        r[0] * x + r[1] * y + r[2] * z + part.position[0],
        r[3] * x + r[4] * y + r[5] * z + part.position[1],
        r[6] * x + r[7] * y + r[8] * z + part.position[2],
      );
      reach = Math.max(reach, point.length());
    }
  }
  return reach;
}
