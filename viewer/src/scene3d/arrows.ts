/** Arrows and points, as many as a frame has: instances whose number changes. */

import * as THREE from "three";
import { overlay } from "./materials";

const Z = new THREE.Vector3(0, 0, 1);

export class Arrows {
  readonly object = new THREE.Group();
  readonly material = overlay();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private count = 0;
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly along = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  /** At most `most` arrows of that thickness. */
  constructor(
    private readonly most: number,
    private readonly radius: number,
  ) {
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = instances(shaft, this.material, most, 20);
    this.heads = instances(head, this.material, most, 20);
    this.object.add(this.shafts, this.heads);
  }

  begin(): void {
    this.count = 0;
  }

  /** From a point, a vector of that length. */
  add(x: number, y: number, z: number, vx: number, vy: number, vz: number): void {
    const length = Math.hypot(vx, vy, vz);
    if (!(length > 0) || this.count >= this.most) return;
    const { turn, scale, along, at, matrix } = this;
    along.set(vx / length, vy / length, vz / length);
    turn.setFromUnitVectors(Z, along);
    const head = Math.min(4.2 * this.radius, 0.5 * length);
    const wide = head * 0.42;
    matrix.compose(at.set(x, y, z), turn, scale.set(Math.min(this.radius, wide * 0.5), Math.min(this.radius, wide * 0.5), length - head));
    this.shafts.setMatrixAt(this.count, matrix);
    at.addScaledVector(along, length - head);
    matrix.compose(at, turn, scale.set(wide, wide, head));
    this.heads.setMatrixAt(this.count, matrix);
    this.count++;
  }

  end(): void {
    finish(this.shafts, this.count);
    finish(this.heads, this.count);
  }
}

export class Points {
  readonly material = overlay();
  readonly object: THREE.InstancedMesh;
  private count = 0;
  private readonly matrix = new THREE.Matrix4();

  constructor(
    private readonly most: number,
    private readonly radius: number,
  ) {
    this.object = instances(new THREE.SphereGeometry(1, 14, 10), this.material, most, 21);
  }

  begin(): void {
    this.count = 0;
  }

  add(x: number, y: number, z: number): void {
    if (this.count >= this.most) return;
    this.matrix.makeScale(this.radius, this.radius, this.radius).setPosition(x, y, z);
    this.object.setMatrixAt(this.count++, this.matrix);
  }

  end(): void {
    finish(this.object, this.count);
  }
}

function instances(geometry: THREE.BufferGeometry, material: THREE.Material, most: number, order: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(most, 1));
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  mesh.count = 0;
  return mesh;
}

function finish(mesh: THREE.InstancedMesh, count: number): void {
  mesh.count = count;
  mesh.instanceMatrix.needsUpdate = true;
}
