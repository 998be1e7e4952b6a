/** Tractions of short-range fields as the colour of the boundary they act on, point by point. */

import * as THREE from "three";
import type { Body, Field, Film } from "../data/film";
import { lerp, type Moment, traction } from "../data/sample";
import type { Bodies } from "./bodies";

/** From none to the greatest repulsion, and the greatest attraction. */
export const REPULSION = ["#f2d16b", "#e8743b", "#b3123a"];
export const ATTRACTION = ["#9fd0e6", "#3f83c4", "#1b3f94"];
/** Heights of a table, evenly in their logarithm. */
const SAMPLES = 256;

/** Powers of the gap go over many orders of magnitude: so many of them are shown, evenly. */
export const DECADES = 8;

const FRAGMENT = /* glsl */ `
  #include <color_fragment>
  float q = 0.0;
  for (int i = 0; i < FIELDS; i++) {
    float d = dot(fieldPlanes[i].xyz, vWorld) - fieldPlanes[i].w;
    float u = log(max(d, 1e-30) / fieldRange[i].x) / log(fieldRange[i].y / fieldRange[i].x);
    float at = clamp(u, 0.0, 1.0) * float(SAMPLES - 1);
    int k = min(int(at), SAMPLES - 2);
    vec2 low = texelFetch(fieldTable, ivec2(k, i), 0).rg;
    vec2 high = texelFetch(fieldTable, ivec2(k + 1, i), 0).rg;
    vec2 both = mix(low, high, at - float(k));
    // what damps is against the velocity of the point away from the plane
    q += both.x - both.y * (dot(fieldRates[i].xyz, vWorld) + fieldRates[i].w);
  }
  float s = fieldOn * clamp(1.0 + log(max(abs(q) / fieldGreatest, 1e-30)) / (2.302585 * float(DECADES)), 0.0, 1.0);
  vec3 c1 = q > 0.0 ? fieldRamp[0] : fieldRamp[3];
  vec3 c2 = q > 0.0 ? fieldRamp[1] : fieldRamp[4];
  vec3 c3 = q > 0.0 ? fieldRamp[2] : fieldRamp[5];
  vec3 plain = diffuseColor.rgb;
  diffuseColor.rgb = s < 0.3333 ? mix(plain, c1, 3.0 * s) : s < 0.6667 ? mix(c1, c2, 3.0 * s - 1.0) : mix(c2, c3, 3.0 * s - 2.0);`;

interface Painted {
  fields: Field[];
  planes: THREE.Vector4[];
  /** the normal velocity at x, relative to the plane: xyz·x + w */
  rates: THREE.Vector4[];
  on: { value: number };
}

export class FieldColours {
  /** the greatest traction that is shown [N/m²] */
  readonly greatest: number;
  private readonly painted: Painted[] = [];
  private readonly n = new THREE.Vector3();
  private readonly p = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(
    private readonly film: Film,
    private readonly bodies: Bodies,
  ) {
    this.greatest = Math.max(0, ...film.fields.map((f) => greatest(film, f)));
    for (const [body, meshes] of bodies.painted) {
      const fields = film.fields.filter((f) => f.bodies[0] === body && f.tractions.length > 2);
      if (fields.length === 0) continue;
      const painted = { fields, planes: fields.map(() => new THREE.Vector4()), rates: fields.map(() => new THREE.Vector4()), on: { value: 1 } };
      this.painted.push(painted);
      for (const mesh of meshes) paint(mesh.material as THREE.MeshStandardMaterial, painted, this.greatest);
    }
  }

  show(on: boolean): void {
    for (const painted of this.painted) painted.on.value = on ? 1 : 0;
  }

  /** Puts the planes where their supports are, and says how fast bodies leave them. */
  update(at: Moment): void {
    const { film, bodies } = this;
    for (const { fields, planes, rates } of this.painted) {
      for (let i = 0; i < fields.length; i++) {
        this.matrix.fromArray(this.bodies.matrices, 16 * fields[i].bodies[1]);
        const { position: p, normal: n } = fields[i];
        this.p.set(p[0], p[1], p[2]).applyMatrix4(this.matrix);
        this.n.set(n[0], n[1], n[2]).transformDirection(this.matrix);
        planes[i].set(this.n.x, this.n.y, this.n.z, this.n.dot(this.p));
        rates[i].set(0, 0, 0, 0);
        if (fields[i].damping.length === 0) continue;
        const [body, support] = fields[i].bodies;
        normalVelocity(film.bodies[body], bodies.matrices, 16 * body, this.n, at, 1, rates[i]);
        normalVelocity(film.bodies[support], bodies.matrices, 16 * support, this.n, at, -1, rates[i]);
      }
    }
  }
}

const G = new THREE.Vector3();
const SPIN = new THREE.Vector3();
const F = new THREE.Matrix3();

/** Adds the normal velocity of the points of a body, times a sign: n·(v + L (x − p)), with L the rate of rotation, or Ḟ F⁻¹. */
export function normalVelocity(body: Body, matrices: ArrayLike<number>, where: number, n: THREE.Vector3, at: Moment, sign: number, out: THREE.Vector4): void {
  if (body.fixed || body.velocity.length === 0) return;
  const { spin, deformationRate: rate } = body;
  const g = G.set(0, 0, 0);
  if (rate) {
    // Lᵀ n = F⁻ᵀ (Ḟᵀ n); F is the body's matrix
    for (let k = 0; k < 3; k++) g.setComponent(k, [0, 1, 2].reduce((sum, i) => sum + lerp(rate, 9, 3 * i + k, at) * n.getComponent(i), 0));
    const e = matrices;
    const f = F.set(e[where], e[where + 4], e[where + 8], e[where + 1], e[where + 5], e[where + 9], e[where + 2], e[where + 6], e[where + 10]);
    g.applyMatrix3(f.invert().transpose());
  } else if (spin) g.crossVectors(n, SPIN.set(lerp(spin, 3, 0, at), lerp(spin, 3, 1, at), lerp(spin, 3, 2, at)));
  const v = [0, 1, 2].reduce((sum, i) => sum + lerp(body.velocity, 3, i, at) * n.getComponent(i), 0);
  const p = [0, 1, 2].reduce((sum, i) => sum + g.getComponent(i) * matrices[where + 12 + i], 0);
  out.x += sign * g.x;
  out.y += sign * g.y;
  out.z += sign * g.z;
  out.w += sign * (v - p);
}

/** The greatest traction at the gap of the run. */
export function greatest(film: Film, field: Field): number {
  const gaps = film.series.find((s) => s.name === `${field.name}.gap`)?.values ?? [];
  let most = 0;
  for (let i = 0; i < gaps.length; i++) {
    if (!(gaps[i] > 0)) continue;
    const [a, b] = [Math.max(i - 1, 0), Math.min(i + 1, gaps.length - 1)];
    const rate = film.t[b] > film.t[a] ? (gaps[b] - gaps[a]) / (film.t[b] - film.t[a]) : 0;
    const damped = field.damping.length > 0 ? traction(field.damping, gaps[i]) * rate : 0;
    most = Math.max(most, Math.abs(traction(field.tractions, gaps[i]) - damped));
  }
  // without a run, what acts at a hundredth of the scene's size
  return most > 0 ? most : Math.abs(traction(field.tractions, Math.sqrt(field.tractions[0] * (field.tractions.at(-2) ?? 1))));
}

/** The tractions and the damping of all fields, a row each. */
function table(fields: Field[]): THREE.DataTexture {
  const data = new Float32Array(2 * SAMPLES * fields.length);
  fields.forEach(({ tractions, damping }, row) => {
    const [low, high] = [tractions[0], tractions[tractions.length - 2]];
    for (let k = 0; k < SAMPLES; k++) {
      const d = low * (high / low) ** (k / (SAMPLES - 1));
      data[2 * (row * SAMPLES + k)] = traction(tractions, d);
      data[2 * (row * SAMPLES + k) + 1] = traction(damping, d);
    }
  });
  const texture = new THREE.DataTexture(data, SAMPLES, fields.length, THREE.RGFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

function paint(material: THREE.MeshStandardMaterial, { fields, planes, rates, on }: Painted, greatest: number): void {
  const uniforms = {
    fieldPlanes: { value: planes },
    fieldRates: { value: rates },
    fieldRange: { value: fields.map(({ tractions: t }) => new THREE.Vector2(t[0], t[t.length - 2])) },
    fieldTable: { value: table(fields) },
    fieldGreatest: { value: greatest > 0 ? greatest : 1 },
    fieldRamp: { value: [...REPULSION, ...ATTRACTION].map((c) => new THREE.Color(c)) },
    fieldOn: on,
  };
  const before = material.onBeforeCompile.bind(material);
  material.defines = { ...material.defines, FIELDS: fields.length, SAMPLES, DECADES };
  material.onBeforeCompile = (shader, renderer) => {
    before(shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vWorld;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWorld = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 vWorld;
        uniform vec4 fieldPlanes[FIELDS];
        uniform vec4 fieldRates[FIELDS];
        uniform vec2 fieldRange[FIELDS];
        uniform sampler2D fieldTable;
        uniform float fieldGreatest;
        uniform vec3 fieldRamp[6];
        uniform float fieldOn;`,
      )
      .replace("#include <color_fragment>", FRAGMENT);
  };
  const key = material.customProgramCacheKey();
  material.customProgramCacheKey = () => `field ${key}`;
}
