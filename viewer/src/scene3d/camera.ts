/** The eye: it frames the scene, goes around it, and follows a body. */

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Box, Film } from "../data/film";

export class Eye {
  readonly camera: THREE.PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly centre = new THREE.Vector3();
  readonly radius: number;
  /** the body that is followed; −1: none */
  following = -1;
  /** so much of the picture's width is covered at its left, as a share: the scene is framed in the rest */
  covered = 0;
  private readonly last = new THREE.Vector3();
  private readonly now = new THREE.Vector3();

  constructor(
    canvas: HTMLElement,
    film: Film,
    readonly up: THREE.Vector3,
  ) {
    const box = framed(film);
    this.centre.set(0, 0, 0).add(new THREE.Vector3(...box[0])).add(new THREE.Vector3(...box[1])).multiplyScalar(0.5);
    this.radius = Math.max(0.5 * new THREE.Vector3(...box[0]).distanceTo(new THREE.Vector3(...box[1])), 1e-9);
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01 * this.radius, 400 * this.radius);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.05 * this.radius;
    this.controls.maxDistance = 80 * this.radius;
  }

  /** The whole scene, from a little above, or along an axis of the world (0 to 2). */
  frame(box: Box, along: "aside" | 0 | 1 | 2 = "aside"): void {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new THREE.Vector3(box[i & 1][0], box[(i >> 1) & 1][1], box[(i >> 2) & 1][2]),
    );
    const centre = corners[0].clone().add(corners[7]).multiplyScalar(0.5);
    const from = new THREE.Vector3();
    if (along === "aside") from.copy(aside(corners, this.up));
    else from.setComponent(along, along === 1 ? -1 : 1);
    if (Math.abs(from.dot(this.up)) > 0.999 * from.length()) from.addScaledVector(aside(corners, this.up), 2e-3);
    from.normalize();
    // as near as all corners allow
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new THREE.Vector3().crossVectors(this.up, from).normalize();
    const top = new THREE.Vector3().crossVectors(from, right);
    let distance = 0;
    for (const corner of corners) {
      const p = corner.sub(centre);
      const wide = Math.max(Math.abs(p.dot(top)) / half, Math.abs(p.dot(right)) / (half * Math.max(this.camera.aspect * (1 - this.covered), 0.2)));
      distance = Math.max(distance, MARGIN * wide + p.dot(from));
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, Math.max(distance, 0.2 * this.radius));
    this.controls.update();
  }

  /** Puts what is looked at into the middle of what is not covered of a picture of that size [px]. */
  centreIn(width: number, height: number): void {
    if (this.covered > 0) this.camera.setViewOffset(width, height, -0.5 * this.covered * width, 0, width, height);
    else this.camera.clearViewOffset();
  }

  follow(body: number, matrices: Float32Array): void {
    this.following = body;
    if (body >= 0) this.last.fromArray(matrices, 16 * body + 12);
  }

  update(matrices: Float32Array): void {
    if (this.following >= 0) {
      this.now.fromArray(matrices, 16 * this.following + 12);
      const move = this.last.subVectors(this.now, this.last);
      this.camera.position.add(move);
      this.controls.target.add(move);
      this.last.copy(this.now);
    }
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(0.02 * distance, 1e-3 * this.radius);
    this.camera.far = distance + 60 * this.radius;
    this.camera.updateProjectionMatrix();
  }
}

/** Which box is framed: all that bodies sweep, unless one of them flies far away. */
export function framed(film: Film): Box {
  const none: Box = [
    [-1, -1, -1],
    [1, 1, 1],
  ];
  const { bounds, start } = film;
  if (!bounds) return none;
  const size = (b: Box) => Math.hypot(b[1][0] - b[0][0], b[1][1] - b[0][1], b[1][2] - b[0][2]);
  return start && size(bounds) > (traveller(film) >= 0 ? FAR : 6 * FAR) * size(start) ? start : bounds;
}

/** So much wider than the box the picture is: blocks and marks of joints stand out of it. */
const MARGIN = 1.3;
/** A box is flat if one side is shorter than this share of the others. */
const FLAT = 0.25;
/** So much larger than at the start a scene may become, and be seen as a whole. */
const FAR = 10;

/** The only body that moves, if it goes so far that it is better followed; −1: none. */
export function traveller(film: Film): number {
  const moving = film.bodies.flatMap((b, i) => (b.fixed ? [] : [i]));
  return moving.length === 1 && film.bodies[moving[0]].free ? moving[0] : -1;
}

/** The direction to look from: square to what is flat, otherwise aside. */
function aside(corners: THREE.Vector3[], up: THREE.Vector3): THREE.Vector3 {
  const d = corners[7].clone().sub(corners[0]);
  const size = Math.max(d.x, d.y, d.z);
  const flat = [0, 1].filter((i) => d.getComponent(i) < FLAT * size && Math.abs(up.getComponent(i)) < 0.5);
  if (flat.length === 1 && Math.abs(up.z) > 0.5) {
    // a mechanism in a plane: nearly square to it
    const from = new THREE.Vector3();
    from.setComponent(flat[0], flat[0] === 1 ? -1 : 1);
    from.setComponent(1 - flat[0], 0.28);
    return from.addScaledVector(up, 0.3);
  }
  // a mechanism that lies flat is seen from above
  if (Math.abs(up.z) > 0.5 && d.z < FLAT * Math.min(d.x, d.y)) return new THREE.Vector3(0.2, -0.75, 0).addScaledVector(up, 1);
  if (Math.abs(up.z) > 0.5) return new THREE.Vector3(0.55, -1, 0).addScaledVector(up, 0.5);
  if (Math.abs(up.y) > 0.5) return new THREE.Vector3(d.z < FLAT * size ? 0.2 : 0.4, 0, 1).addScaledVector(up, 0.3);
  return new THREE.Vector3(0, 0.6, 1).addScaledVector(up, 0.45);
}

/** Against gravity, along an axis of the world; without gravity z, or y for a machine that moves in the plane of x and y. */
export function upward(film: Film): THREE.Vector3 {
  const g = film.gravity;
  if (Math.hypot(...g) === 0 && film.bounds) {
    const [low, high] = framed(film);
    const d = [0, 1, 2].map((i) => high[i] - low[i]);
    if (d[2] < FLAT * Math.min(d[0], d[1])) return new THREE.Vector3(0, 1, 0);
  }
  const i = [0, 1, 2].reduce((k, j) => (Math.abs(g[j]) > Math.abs(g[k]) ? j : k), 2);
  const up = new THREE.Vector3();
  up.setComponent(i, g[i] > 0 ? -1 : 1);
  return up;
}
