/** Bars between what a body has apart from each other: surfaces, joints, springs; and a ball where its mass is, if it has no surface. */

import * as THREE from "three";
import type { Film, Part } from "../data/film";

export interface Bar {
  body: number;
  /** of a cylinder of radius and length 1 along z, or of a ball of radius 1 */
  matrix: THREE.Matrix4;
  shape: "bar" | "ball";
}

/** A part, or a point that something holds: a ball around it. */
interface Spot {
  centre: THREE.Vector3;
  radius: number;
}

/** Bars of all bodies that move. */
export function bars(film: Film, size: number): Bar[] {
  const out: Bar[] = [];
  film.bodies.forEach((body, b) => {
    if (body.fixed) return;
    const parts = body.parts.filter((p) => p.look !== "plane").map((p) => around(film, p));
    const held = heldPoints(film, b, size);
    const links = parts.length > 0 ? joined([...parts, ...held, { centre: new THREE.Vector3(), radius: 0 }], size) : outline(held, size);
    if (parts.length === 0 && !body.parts.some((p) => p.look === "plane")) {
      const radius = (links.length > 0 ? 0.016 : 0.03) * size;
      out.push({ body: b, shape: "ball", matrix: new THREE.Matrix4().makeScale(radius, radius, radius) });
    }
    for (const [p, q] of links) {
      const length = p.distanceTo(q);
      if (length < 1e-6 * size) continue;
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), q.clone().sub(p).divideScalar(length));
      const radius = Math.min(0.009 * size, 0.12 * length);
      const middle = p.clone().add(q).multiplyScalar(0.5);
      out.push({ body: b, shape: "bar", matrix: new THREE.Matrix4().compose(middle, turn, new THREE.Vector3(radius, radius, length)) });
    }
  });
  return out;
}

/** Where joints and springs hold a body, each place once. */
function heldPoints(film: Film, b: number, size: number): Spot[] {
  const held: Spot[] = [];
  for (const { bodies, points } of [...film.joints, ...film.lines]) {
    for (const end of [0, 1]) {
      if (bodies[end] !== b) continue;
      const centre = new THREE.Vector3(...points[end]);
      if (!held.some((h) => h.centre.distanceTo(centre) < 1e-6 * size)) held.push({ centre, radius: 0 });
    }
  }
  return held;
}

type Link = [THREE.Vector3, THREE.Vector3];

/** Bars that make one of what is apart: between two, or from the reference point, the last spot, to all. */
function joined(spots: Spot[], size: number): Link[] {
  const group = spots.map((_, i) => i);
  const root = (i: number): number => (group[i] === i ? i : root(group[i]));
  for (let i = 0; i < spots.length; i++) {
    for (let k = 0; k < i; k++) {
      const apart = spots[i].centre.distanceTo(spots[k].centre);
      if (apart <= 1.02 * (spots[i].radius + spots[k].radius) + 1e-3 * size) group[root(i)] = root(k);
    }
  }
  const roots = [...new Set(spots.map((_, i) => root(i)))];
  if (roots.length === 2) return [[spots[roots[0]].centre, spots[roots[1]].centre]];
  const hub = root(spots.length - 1);
  return roots.filter((r) => r !== hub).map((r) => [new THREE.Vector3(), spots[r].centre]);
}

/** Around the points of a body without surfaces; a mass off them hangs on the nearest point of their bars. */
function outline(held: Spot[], size: number): Link[] {
  const p = held.map((h) => h.centre);
  const links: Link[] = [];
  if (p.length === 2) links.push([p[0], p[1]]);
  else if (p.length > 2) p.forEach((q, i) => links.push([q, p[(i + 1) % p.length]]));
  const nearest = links
    .map(([a, b]) => new THREE.Line3(a, b).closestPointToPoint(new THREE.Vector3(), true, new THREE.Vector3()))
    .concat(p.length === 1 ? p : [])
    .sort((a, b) => a.length() - b.length())[0];
  if (nearest && nearest.length() > 0.03 * size) links.push([nearest, new THREE.Vector3()]);
  return links;
}

/** A ball around a part, in the body's frame. */
function around(film: Film, part: Part): Spot {
  const mesh = new THREE.BufferGeometry();
  mesh.setAttribute("position", new THREE.BufferAttribute(film.meshes[part.mesh].vertices, 3));
  mesh.computeBoundingSphere();
  const ball = mesh.boundingSphere ?? new THREE.Sphere();
  const [x, y, z] = part.position;
  const r = part.rotation;
  const turn = new THREE.Matrix4().set(r[0], r[1], r[2], x, r[3], r[4], r[5], y, r[6], r[7], r[8], z, 0, 0, 0, 1);
  return { centre: ball.center.clone().applyMatrix4(turn), radius: ball.radius };
}
