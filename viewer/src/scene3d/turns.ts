/** Couples: arcs with a head, about their axes, as many as a frame has. */

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { overlay } from "./materials";

const Z = new THREE.Vector3(0, 0, 1);
/** How far round an arc goes [rad], and its thickness, beside its radius. */
const ROUND = 1.5 * Math.PI;
const THICK = 0.07;

export class Turns {
  readonly material = overlay();
  readonly object: THREE.InstancedMesh;
  private count = 0;
  private readonly turn = new THREE.Quaternion();
  private readonly axis = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly scale = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(private readonly most: number) {
    this.object = new THREE.InstancedMesh(arc(), this.material, Math.max(most, 1));
    this.object.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.object.frustumCulled = false;
    this.object.renderOrder = 22;
    this.object.count = 0;
  }

  begin(): void {
    this.count = 0;
  }

  /** About a point, the right-handed turn about a vector whose length is the radius. */
  add(x: number, y: number, z: number, vx: number, vy: number, vz: number): void {
    const radius = Math.hypot(vx, vy, vz);
    if (!(radius > 0) || this.count >= this.most) return;
    this.turn.setFromUnitVectors(Z, this.axis.set(vx / radius, vy / radius, vz / radius));
    this.matrix.compose(this.at.set(x, y, z), this.turn, this.scale.set(radius, radius, radius));
    this.object.setMatrixAt(this.count++, this.matrix);
  }

  end(): void {
    this.object.count = this.count;
    this.object.instanceMatrix.needsUpdate = true;
  }
}

/** Around z, counter-clockwise, of radius 1. */
function arc(): THREE.BufferGeometry {
  const ring = new THREE.TorusGeometry(1, THICK, 8, 40, ROUND);
  const head = new THREE.ConeGeometry(3 * THICK, 7 * THICK, 14).translate(0, 3.5 * THICK, 0);
  // the head goes on along the arc from its end
  head.translate(1, 0, 0).rotateZ(ROUND);
  return mergeGeometries([ring, head]);
}

/** The greatest length of vectors that are `size` numbers apart, from `at` on. */
export function greatest(values: ArrayLike<number>, size: number, at: number): number {
  let most = 0;
  for (let i = at; i + 2 < values.length; i += size) {
    const length = Math.hypot(values[i], values[i + 1], values[i + 2]);
    if (length > most) most = length;
  }
  return most;
}
