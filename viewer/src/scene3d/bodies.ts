/** Bodies: every part of them is an instance of its mesh, so that a thousand cost little more than one. */

import * as THREE from "three";
import { type Moment, pose } from "../data/sample";
import type { Body, Film, Part } from "../data/film";
import { colour, type Theme } from "../theme/theme";
import { Ground, round } from "./ground";
import { shell, solid } from "./materials";
import { bars } from "./bars";
import { matrix } from "./place";

/** A part as it is placed: which body, its matrix on it, and where the result goes. */
interface Placed {
  body: number;
  /** on the body, column by column; `null`: the body's own frame */
  local: THREE.Matrix4 | null;
  into: THREE.InstancedMesh | THREE.Object3D;
  index: number;
  name: string;
}

export class Bodies {
  readonly object = new THREE.Group();
  /** where bodies are now, 16 numbers each, column by column */
  readonly matrices: Float32Array;
  /** what pointers can hit */
  readonly targets: THREE.Object3D[] = [];
  /** meshes that are painted by what acts on them, by body */
  readonly painted = new Map<number, THREE.Mesh[]>();
  private readonly placed: Placed[] = [];
  private readonly batches: THREE.InstancedMesh[] = [];
  private readonly grounds: Ground[] = [];
  private readonly ids = new WeakMap<THREE.Object3D, Placed[]>();
  private readonly greys: { mesh: THREE.InstancedMesh; index: number }[] = [];
  private readonly body = new THREE.Matrix4();
  private readonly out = new THREE.Matrix4();
  private surfacesOfDecorated: THREE.Object3D[] = [];

  constructor(
    private readonly film: Film,
    size: number,
    extent: number,
    up: THREE.Vector3,
  ) {
    this.matrices = new Float32Array(16 * film.bodies.length);
    const geometries = film.meshes.map(geometry);
    const coloured = new Set(film.fields.map((f) => f.bodies[0]));
    // parts of the same mesh, look and kind are drawn in one go
    const groups = new Map<string, { geometry: THREE.BufferGeometry; kind: string; look: string; members: [number, Part, boolean][] }>();
    film.bodies.forEach((body, b) => {
      const decorated = body.parts.some((p) => p.look === "decoration");
      for (const part of body.parts) {
        if (part.look === "plane") this.plane(b, part, extent, size, up);
        else if (body.deformation || (coloured.has(b) && part.look === "solid")) this.single(b, body, part, geometries[part.mesh], coloured.has(b));
        else {
          const hidden = decorated && part.look !== "decoration";
          const key = `${part.mesh} ${part.look} ${part.kind} ${hidden}`;
          const group = groups.get(key) ?? { geometry: geometries[part.mesh], kind: part.kind, look: part.look, members: [] };
          group.members.push([b, part, hidden]);
          groups.set(key, group);
        }
      }
    });
    for (const { geometry, kind, look, members } of groups.values()) {
      const material = look === "shell" || members[0][2] ? shell() : solid(kind);
      const batch = this.batch(geometry, material, members.length);
      batch.castShadow = look !== "shell";
      batch.receiveShadow = look !== "shell";
      if (members[0][2]) {
        batch.visible = false;
        this.surfacesOfDecorated.push(batch);
      }
      members.forEach(([b, part], i) => this.put(batch, i, b, matrix(part), part.name));
    }
    this.skeleton(size);
  }

  /** Bars of bodies whose joints are not on their surfaces, balls for those without any. */
  private skeleton(size: number): void {
    const all = bars(this.film, size);
    const shapes = { bar: new THREE.CylinderGeometry(1, 1, 1, 20).rotateX(Math.PI / 2), ball: new THREE.SphereGeometry(1, 24, 16) };
    for (const shape of ["bar", "ball"] as const) {
      const some = all.filter((bar) => bar.shape === shape);
      if (some.length === 0) continue;
      const batch = this.batch(shapes[shape], solid(shape === "ball" ? "marker" : "bar"), some.length);
      batch.castShadow = batch.receiveShadow = true;
      some.forEach((bar, i) => this.put(batch, i, bar.body, bar.matrix, ""));
    }
  }

  private batch(geometry: THREE.BufferGeometry, material: THREE.Material, count: number): THREE.InstancedMesh {
    const batch = new THREE.InstancedMesh(geometry, material, count);
    batch.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    batch.frustumCulled = false;
    batch.renderOrder = material.transparent ? 2 : 0;
    this.batches.push(batch);
    this.ids.set(batch, []);
    this.object.add(batch);
    this.targets.push(batch);
    return batch;
  }

  private put(batch: THREE.InstancedMesh, index: number, body: number, local: THREE.Matrix4 | null, name: string): void {
    const placed = { body, local, into: batch, index, name };
    this.placed.push(placed);
    this.ids.get(batch)?.push(placed);
    const own = this.film.bodies[body].colour;
    if (own === null) this.greys.push({ mesh: batch, index });
    batch.setColorAt(index, new THREE.Color(own === null ? "#888888" : colour(own)));
  }

  /** A part with a matrix of its own: F may shear it, and normals with it. */
  private single(b: number, body: Body, part: Part, geometry: THREE.BufferGeometry, field: boolean): void {
    const material = part.look === "shell" ? shell() : solid(part.kind);
    material.color.set(body.colour === null ? "#888888" : colour(body.colour));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = part.look !== "shell";
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.object.add(mesh);
    this.targets.push(mesh);
    const placed = { body: b, local: matrix(part), into: mesh, index: 0, name: part.name };
    this.placed.push(placed);
    this.ids.set(mesh, [placed]);
    if (field) this.painted.set(b, [...(this.painted.get(b) ?? []), mesh]);
  }

  private plane(b: number, part: Part, extent: number, size: number, up: THREE.Vector3): void {
    pose(this.film.bodies[b], { frame: 0, share: 0 }, this.body.elements);
    const level = new THREE.Vector3(0, 0, 1).transformDirection(this.out.multiplyMatrices(this.body, matrix(part))).dot(up) > 0.7;
    const own = this.film.bodies[b].colour;
    // a plane that moves and is no floor, as of a gripper's finger, is drawn as a plate of its body
    const plate = !level && own !== null;
    const ground = plate
      ? new Ground(0.1 * extent, round(size / 14), THREE.DoubleSide, colour(own))
      : new Ground(level ? extent : 0.35 * extent, round(size / 14), level ? THREE.DoubleSide : THREE.FrontSide);
    if (plate) {
      // below the body's reference point
      const { x, y } = new THREE.Vector3().applyMatrix4(matrix(part).invert());
      ground.put(x, y);
    }
    this.grounds.push(ground);
    this.object.add(ground.object);
    this.placed.push({ body: b, local: matrix(part), into: ground.object, index: 0, name: part.name });
  }

  /** A floor for scenes that have none. */
  floor(at: THREE.Matrix4, extent: number, size: number): void {
    const ground = new Ground(extent, round(size / 14), THREE.DoubleSide);
    ground.object.matrix.copy(at);
    this.grounds.push(ground);
    this.object.add(ground.object);
  }

  get hasGround(): boolean {
    return this.grounds.length > 0;
  }

  /** Planes go with what is looked at. */
  look(target: THREE.Vector3): void {
    for (let i = 0; i < this.grounds.length; i++) this.grounds[i].centre(target);
  }

  grids(on: boolean): void {
    for (const ground of this.grounds) ground.object.visible = on;
  }

  /** Surfaces of bodies that are drawn by other shapes. */
  surfaces(on: boolean): void {
    for (const object of this.surfacesOfDecorated) object.visible = on;
  }

  get hasDecorations(): boolean {
    return this.surfacesOfDecorated.length > 0;
  }

  theme(theme: Theme): void {
    for (const ground of this.grounds) ground.theme(theme);
    const grey = new THREE.Color(theme.fixed);
    for (const { mesh, index } of this.greys) mesh.setColorAt(index, grey);
    for (const batch of this.batches) if (batch.instanceColor) batch.instanceColor.needsUpdate = true;
  }

  /** Puts all bodies where they are at a moment. */
  update(at: Moment): void {
    const { film, matrices, body, out } = this;
    for (let i = 0; i < film.bodies.length; i++) {
      pose(film.bodies[i], at, body.elements);
      matrices.set(body.elements, 16 * i);
    }
    for (let i = 0; i < this.placed.length; i++) {
      const p = this.placed[i];
      body.fromArray(matrices, 16 * p.body);
      const result = p.local ? out.multiplyMatrices(body, p.local) : body;
      if ((p.into as THREE.InstancedMesh).isInstancedMesh) (p.into as THREE.InstancedMesh).setMatrixAt(p.index, result);
      else {
        p.into.matrix.copy(result);
        p.into.matrixWorldNeedsUpdate = true;
      }
    }
    for (const batch of this.batches) {
      batch.instanceMatrix.needsUpdate = true;
      // hits are looked for where bodies are now
      batch.boundingSphere = null;
    }
  }

  /** How many shapes are drawn of a body. */
  hits(name: string): number {
    return this.placed.filter((p) => this.film.bodies[p.body].name === name).length;
  }

  /** Which body and part were hit. */
  hit(object: THREE.Object3D, instance: number | undefined): { body: number; part: string } | null {
    const placed = this.ids.get(object)?.[instance ?? 0];
    return placed ? { body: placed.body, part: placed.name } : null;
  }
}

function geometry(mesh: Film["meshes"][number]): THREE.BufferGeometry {
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.BufferAttribute(mesh.vertices, 3));
  out.setAttribute("normal", new THREE.BufferAttribute(mesh.normals, 3));
  out.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  return out;
}
