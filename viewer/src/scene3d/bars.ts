/** Bars between what a body has apart from each other: surfaces, joints, springs; and a ball where its mass is, if it has no surface. */

import * as THREE from "three";
import type { Film, Part } from "../data/film";
import { matrix } from "./place";
import { bodySizes, holds } from "./sizes";

export interface Bar {
  body: number;
  /** of a cylinder of radius and length 1 along z, or of a ball of radius 1 */
  matrix: THREE.Matrix4;
  shape: "bar" | "ball";
}

/** A part, or a point that something holds: the box around it on the body, and some of its points. */
interface Spot {
  centre: THREE.Vector3;
  box: THREE.Box3;
  /** from the body's frame to that of the box */
  inward: THREE.Matrix4;
  points: THREE.Vector3[];
}

/** So many points of a mesh say how far it is from another. */
const POINTS = 120;

/** Bars of all bodies that move. */
export function bars(film: Film, size: number): Bar[] {
  const out: Bar[] = [];
  const sizes = bodySizes(film);
  film.bodies.forEach((body, b) => {
    if (body.fixed) return;
    const own = sizes[b] > 0 ? Math.min(sizes[b], size) : size;
    const parts = body.parts.filter((p) => p.look !== "plane").map((p) => around(film, p));
    const held = heldPoints(film, b, own);
    const links = parts.length > 0 ? joined([...parts, ...held, point(new THREE.Vector3())], own) : outline(held, own);
    if (parts.length === 0 && !body.parts.some((p) => p.look === "plane")) {
      const radius = links.length > 0 ? Math.min(0.016 * size, 0.06 * own) : 0.03 * size;
      out.push({ body: b, shape: "ball", matrix: new THREE.Matrix4().makeScale(radius, radius, radius) });
    }
    for (const [p, q] of links) {
      const length = p.distanceTo(q);
      if (length < 1e-6 * own) continue;
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), q.clone().sub(p).divideScalar(length));
      const radius = Math.min(0.009 * size, 0.03 * own, 0.12 * length);
      const middle = p.clone().add(q).multiplyScalar(0.5);
      out.push({ body: b, shape: "bar", matrix: new THREE.Matrix4().compose(middle, turn, new THREE.Vector3(radius, radius, length)) });
    }
  });
  return out;
}

/** Where joints and springs hold a body, each place once. */
function heldPoints(film: Film, b: number, size: number): Spot[] {
  const held: Spot[] = [];
  for (const { bodies, points } of holds(film)) {
    for (const end of [0, 1]) {
      if (bodies[end] !== b) continue;
      const centre = new THREE.Vector3(...points[end]);
      if (!held.some((h) => h.centre.distanceTo(centre) < 1e-6 * size)) held.push(point(centre));
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
    for (let k = 0; k < i; k++) if (apart(spots[i], spots[k]) < 1e-2 * size) group[root(i)] = root(k);
  }
  const roots = [...new Set(spots.map((_, i) => root(i)))];
  if (roots.length === 2) return [[spots[roots[0]].centre, spots[roots[1]].centre]];
  const hub = root(spots.length - 1);
  return roots.filter((r) => r !== hub).map((r) => [new THREE.Vector3(), spots[r].centre]);
}

/** How far two spots are apart: from the points of either to the box of the other. */
function apart(a: Spot, b: Spot): number {
  const p = new THREE.Vector3();
  const least = (from: Spot, to: Spot) => from.points.reduce((most, q) => Math.min(most, to.box.distanceToPoint(p.copy(q).applyMatrix4(to.inward))), Infinity);
  return Math.min(least(a, b), least(b, a));
}

/** Around the points of a body without surfaces; a mass off them hangs on the nearest point of their bars. */
function outline(held: Spot[], size: number): Link[] {
  const p = inTurn(held.map((h) => h.centre));
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

/** Points in the order in which they lie around their middle, so that bars from one to the next do not cross. */
function inTurn(p: THREE.Vector3[]): THREE.Vector3[] {
  if (p.length < 4) return p;
  const middle = p.reduce((sum, q) => sum.add(q), new THREE.Vector3()).divideScalar(p.length);
  const arms = p.map((q) => q.clone().sub(middle));
  const x = arms.reduce((a, b) => (b.length() > a.length() ? b : a)).clone().normalize();
  // square to the longest arm, in the plane of the points
  const across = arms.map((a) => a.clone().addScaledVector(x, -a.dot(x)));
  const y = across.reduce((a, b) => (b.length() > a.length() ? b : a)).clone().normalize();
  const angle = (a: THREE.Vector3) => Math.atan2(a.dot(y), a.dot(x));
  return p.map((q, i) => ({ q, at: angle(arms[i]) })).sort((a, b) => a.at - b.at).map(({ q }) => q);
}

function point(centre: THREE.Vector3): Spot {
  return { centre, box: new THREE.Box3(centre.clone(), centre.clone()), inward: new THREE.Matrix4(), points: [centre] };
}

/** The box around a part, along the part's own axes. */
function around(film: Film, part: Part): Spot {
  const { vertices } = film.meshes[part.mesh];
  const outward = matrix(part);
  const box = new THREE.Box3().setFromArray(vertices);
  const centre = box.getCenter(new THREE.Vector3()).applyMatrix4(outward);
  const points = [centre];
  const stride = 3 * Math.max(1, Math.ceil(vertices.length / 3 / POINTS));
  for (let i = 0; i + 2 < vertices.length; i += stride) points.push(new THREE.Vector3().fromArray(vertices, i).applyMatrix4(outward));
  return { centre, box, inward: outward.clone().invert(), points };
}
