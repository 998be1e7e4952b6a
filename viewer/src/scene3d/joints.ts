/** Joints and springs: marks where they are, and what joints hold. */

import * as THREE from "three";
import type { Film, Glyph, Joint } from "../data/film";
import type { Theme } from "../theme/theme";
import { Arrows } from "./arrows";
import { bodySizes, markLength, middling } from "./sizes";
import { greatest, Turns } from "./turns";

const Z = new THREE.Vector3(0, 0, 1);
/** A couple below this share of the greatest is rounding. */
const NOISE = 1e-3;
/** Turns of a spring as it is drawn, and points of each. */
const TURNS = 9;
const POINTS = 14;

export class JointMarks {
  readonly object = new THREE.Group();
  readonly reactions: Arrows;
  readonly couples: Turns;
  /** the length that the marks of each joint are multiples of [m] */
  readonly lengths: number[];
  showReactions = false;
  scale = 1;
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0 });
  private readonly springMaterial = new THREE.LineBasicMaterial();
  private readonly marks: { joint: Joint; mesh: THREE.Mesh; local: THREE.Matrix4 }[] = [];
  private readonly rods: { joint: Joint; mesh: THREE.Mesh }[] = [];
  private readonly springs: THREE.Line[] = [];
  /** how wide each spring is [m] */
  private readonly widths: number[];
  /** lines between the two points of joints that slide */
  private readonly guides: { joint: Joint; line: THREE.Line }[] = [];
  private readonly matrix = new THREE.Matrix4();
  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();
  private readonly u = new THREE.Vector3();
  private readonly v = new THREE.Vector3();
  private readonly greatest: number;
  private readonly greatestCouple: number;
  /** the length of the greatest force's arrow [m] */
  private readonly reach: number;

  constructor(
    private readonly film: Film,
    size: number,
  ) {
    const length = markLength(film, size);
    this.lengths = film.joints.map((joint) => length(joint.bodies));
    this.widths = film.lines.map((line) => length(line.bodies));
    this.reach = 0.3 * Math.min(size, 2.5 * middling(film, bodySizes(film), size));
    film.joints.forEach((joint, i) => {
      const r = this.lengths[i];
      if (joint.glyph.shape === "rod") {
        this.rod(joint, joint.glyph.radius * r);
        return;
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
      this.guides.push({ joint, line: this.line(2) });
    });
    for (const _ of film.lines) this.springs.push(this.line(TURNS * POINTS + 3));
    this.reactions = new Arrows(film.joints.length, 0.014 * this.reach);
    this.couples = new Turns(film.joints.length);
    this.object.add(this.reactions.object, this.couples.object);
    this.greatest = Math.max(0, ...film.joints.map((joint) => greatest(joint.force, 3, 0)));
    this.greatestCouple = Math.max(0, ...film.joints.map((joint) => greatest(joint.couple, 3, 0)));
  }

  /** A line through so many points, which are put in later. */
  private line(points: number): THREE.Line {
    const geometry = new THREE.BufferGeometry();
    const positions = new THREE.BufferAttribute(new Float32Array(3 * points), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", positions);
    const line = new THREE.Line(geometry, this.springMaterial);
    line.frustumCulled = false;
    this.object.add(line);
    return line;
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
    this.couples.material.color.set(theme.couple);
  }

  /** `matrices`: where bodies are, 16 numbers each. */
  update(matrices: Float32Array, frame: number): void {
    for (const { joint, mesh, local } of this.marks) {
      this.matrix.fromArray(matrices, 16 * joint.bodies[1]);
      mesh.matrix.multiplyMatrices(this.matrix, local);
      mesh.matrixWorldNeedsUpdate = true;
    }
    this.react(matrices, frame);
    for (const { joint, mesh } of this.rods) {
      this.ends(joint, matrices);
      mesh.position.copy(this.a).add(this.b).multiplyScalar(0.5);
      mesh.scale.z = this.u.subVectors(this.b, this.a).length();
      mesh.quaternion.setFromUnitVectors(Z, this.u.normalize());
    }
    for (const { joint, line } of this.guides) {
      this.ends(joint, matrices);
      const points = line.geometry.getAttribute("position") as THREE.BufferAttribute;
      points.setXYZ(0, this.a.x, this.a.y, this.a.z);
      points.setXYZ(1, this.b.x, this.b.y, this.b.z);
      points.needsUpdate = true;
    }
    for (let i = 0; i < this.springs.length; i++) this.coil(i, matrices);
  }

  /** Forces and couples on the second bodies. */
  private react(matrices: Float32Array, frame: number): void {
    this.reactions.begin();
    this.couples.begin();
    const k = 3 * frame;
    for (const joint of this.showReactions ? this.film.joints : []) {
      this.ends(joint, matrices);
      const { force: f, couple: m } = joint;
      const { x, y, z } = this.b;
      if (this.greatest > 0 && f.length > k + 2) {
        const s = (this.scale * this.reach) / this.greatest;
        this.reactions.add(x, y, z, s * f[k], s * f[k + 1], s * f[k + 2]);
      }
      if (this.greatestCouple > 0 && m.length > k + 2) {
        const s = (0.25 * this.scale * this.reach) / this.greatestCouple;
        const noise = Math.hypot(m[k], m[k + 1], m[k + 2]) < NOISE * this.greatestCouple;
        if (!noise) this.couples.add(x, y, z, s * m[k], s * m[k + 1], s * m[k + 2]);
      }
    }
    this.reactions.end();
    this.couples.end();
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
    const radius = Math.min(this.widths[i], 0.1 * length);
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
