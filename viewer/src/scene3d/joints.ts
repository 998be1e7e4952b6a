/** Joints and springs: marks where they are, and what joints hold. */

import * as THREE from "three";
import type { Film, Glyph, Joint } from "../data/film";
import type { Theme } from "../theme/theme";
import { Arrows } from "./arrows";

const Z = new THREE.Vector3(0, 0, 1);
/** Turns of a spring as it is drawn, and points of each. */
const TURNS = 9;
const POINTS = 14;

export class JointMarks {
  readonly object = new THREE.Group();
  readonly reactions: Arrows;
  showReactions = false;
  scale = 1;
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0 });
  private readonly springMaterial = new THREE.LineBasicMaterial();
  private readonly marks: { joint: Joint; mesh: THREE.Mesh; local: THREE.Matrix4 }[] = [];
  private readonly rods: { joint: Joint; mesh: THREE.Mesh }[] = [];
  private readonly springs: THREE.Line[] = [];
  private readonly matrix = new THREE.Matrix4();
  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();
  private readonly u = new THREE.Vector3();
  private readonly v = new THREE.Vector3();
  private readonly greatest: number;

  constructor(
    private readonly film: Film,
    private readonly size: number,
  ) {
    const r = 0.013 * size;
    for (const joint of film.joints) {
      if (joint.glyph.shape === "rod") {
        this.rod(joint, joint.glyph.radius * r);
        continue;
      }
      const mesh = new THREE.Mesh(solid(joint.glyph, r), this.material);
      mesh.castShadow = true;
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      const turn = new THREE.Quaternion();
      if (joint.axis) turn.setFromUnitVectors(Z, new THREE.Vector3(...joint.axis).normalize());
      const local = new THREE.Matrix4().compose(new THREE.Vector3(...joint.points[1]), turn, new THREE.Vector3(1, 1, 1));
      this.marks.push({ joint, mesh, local });
      this.object.add(mesh);
    }
    for (const _ of film.lines) {
      const geometry = new THREE.BufferGeometry();
      const positions = new THREE.BufferAttribute(new Float32Array(3 * (TURNS * POINTS + 3)), 3).setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute("position", positions);
      const line = new THREE.Line(geometry, this.springMaterial);
      line.frustumCulled = false;
      this.springs.push(line);
      this.object.add(line);
    }
    this.reactions = new Arrows(film.joints.length, 0.004 * size);
    this.object.add(this.reactions.object);
    let greatest = 0;
    for (const { force } of film.joints) {
      for (let i = 0; i < force.length; i += 3) {
        const f = Math.hypot(force[i], force[i + 1], force[i + 2]);
        if (f > greatest) greatest = f;
      }
    }
    this.greatest = greatest;
  }

  /** A rod between the two points of a joint. */
  private rod(joint: Joint, r: number): void {
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(r, r, 1, 16).rotateX(Math.PI / 2), this.material);
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    this.rods.push({ joint, mesh });
    this.object.add(mesh);
  }

  /** Puts both ends of a line into `a` and `b`. */
  private ends({ bodies, points }: { bodies: [number, number]; points: Joint["points"] }, matrices: Float32Array): void {
    const [p, q] = points;
    this.a.set(p[0], p[1], p[2]).applyMatrix4(this.matrix.fromArray(matrices, 16 * bodies[0]));
    this.b.set(q[0], q[1], q[2]).applyMatrix4(this.matrix.fromArray(matrices, 16 * bodies[1]));
  }

  theme(theme: Theme): void {
    this.material.color.set(theme.joint);
    this.springMaterial.color.set(theme.spring);
    this.reactions.material.color.set(theme.force);
  }

  /** `matrices`: where bodies are, 16 numbers each. */
  update(matrices: Float32Array, frame: number): void {
    this.reactions.begin();
    for (const { joint, mesh, local } of this.marks) {
      this.matrix.fromArray(matrices, 16 * joint.bodies[1]);
      mesh.matrix.multiplyMatrices(this.matrix, local);
      mesh.matrixWorldNeedsUpdate = true;
      if (this.showReactions && this.greatest > 0 && joint.force.length > 3 * frame + 2) {
        const e = mesh.matrix.elements;
        const s = (0.3 * this.scale * this.size) / this.greatest;
        const f = joint.force;
        this.reactions.add(e[12], e[13], e[14], s * f[3 * frame], s * f[3 * frame + 1], s * f[3 * frame + 2]);
      }
    }
    this.reactions.end();
    for (const { joint, mesh } of this.rods) {
      this.ends(joint, matrices);
      mesh.position.copy(this.a).add(this.b).multiplyScalar(0.5);
      mesh.scale.z = this.u.subVectors(this.b, this.a).length();
      mesh.quaternion.setFromUnitVectors(Z, this.u.normalize());
    }
    for (let i = 0; i < this.springs.length; i++) this.coil(i, matrices);
  }

  /** A helix from point to point. */
  private coil(i: number, matrices: Float32Array): void {
    const { a, b, u, v } = this;
    this.ends(this.film.lines[i], matrices);
    const attribute = this.springs[i].geometry.getAttribute("position") as THREE.BufferAttribute;
    const x = attribute.array as Float32Array;
    b.sub(a);
    const length = b.length();
    u.set(Math.abs(b.x) > 0.7 * length ? 0 : 1, Math.abs(b.x) > 0.7 * length ? 1 : 0, 0);
    v.crossVectors(b, u).normalize();
    u.crossVectors(v, b).normalize();
    const radius = Math.min(0.012 * this.size, 0.1 * length);
    const n = TURNS * POINTS;
    for (let k = 0; k <= n + 2; k++) {
      // straight ends
      const share = k === 0 ? 0 : k === n + 2 ? 1 : 0.12 + (0.76 * (k - 1)) / n;
      const angle = (2 * Math.PI * (k - 1)) / POINTS;
      const r = k === 0 || k === n + 2 ? 0 : radius;
      const c = r * Math.cos(angle);
      const s = r * Math.sin(angle);
      x[3 * k] = a.x + share * b.x + c * u.x + s * v.x;
      x[3 * k + 1] = a.y + share * b.y + c * u.y + s * v.y;
      x[3 * k + 2] = a.z + share * b.z + c * u.z + s * v.z;
    }
    attribute.needsUpdate = true;
  }
}

/** The mark of a joint as a solid about its axis z; `r` is the length that all marks share. */
function solid(glyph: Exclude<Glyph, { shape: "rod" }>, r: number): THREE.BufferGeometry {
  switch (glyph.shape) {
    case "ball":
      return new THREE.SphereGeometry(glyph.radius * r, 24, 16);
    case "cylinder":
      return new THREE.CylinderGeometry(glyph.radius * r, glyph.radius * r, glyph.length * r, 24).rotateX(Math.PI / 2);
    case "box":
      return new THREE.BoxGeometry(glyph.edges[0] * r, glyph.edges[1] * r, glyph.edges[2] * r);
    case "octahedron":
      return new THREE.OctahedronGeometry(glyph.radius * r);
  }
}
