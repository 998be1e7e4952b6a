/** Planes: a patch with a grid that fades away, and the shadows on it. */

import * as THREE from "three";
import type { Theme } from "../theme/theme";

const VERTEX = /* glsl */ `
  varying vec2 vPlace;
  varying vec2 vFrom;
  uniform vec2 middle;
  void main() {
    vFrom = position.xy;
    vPlace = position.xy + middle;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = /* glsl */ `
  varying vec2 vPlace;
  varying vec2 vFrom;
  uniform float extent;
  uniform float spacing;
  uniform vec3 ground;
  uniform vec3 grid;
  uniform float strength;
  float line(vec2 p, float width) {
    vec2 d = fwidth(p);
    vec2 near = abs(fract(p - 0.5) - 0.5) / max(d, vec2(1e-9));
    float fade = clamp(1.5 - 2.5 * max(d.x, d.y), 0.0, 1.0);
    return (1.0 - clamp(min(near.x, near.y) - width, 0.0, 1.0)) * fade;
  }
  void main() {
    float far = length(vFrom) / extent;
    float fade = 1.0 - smoothstep(0.55, 1.0, far);
    float lines = max(0.35 * line(vPlace / spacing, 0.0), 0.8 * line(vPlace / (5.0 * spacing), 0.3));
    gl_FragColor = vec4(mix(ground, grid, lines), fade * (strength + (1.0 - strength) * 0.75 * lines));
    #include <colorspace_fragment>
  }`;

/** 1, 2 or 5 times a power of ten, near x. */
export function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

export class Ground {
  readonly object = new THREE.Group();
  private readonly material: THREE.ShaderMaterial;
  private readonly shade = new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false });

  private readonly middle = new THREE.Vector2();
  private readonly at = new THREE.Vector3();
  private readonly back = new THREE.Matrix4();
  private readonly patches: THREE.Mesh[];

  /** A floor is seen from below, too; a wall from its free side alone, so that one can look in from behind. `paint`: the colour of a plate on a body. */
  constructor(extent: number, spacing: number, side: THREE.Side, private readonly paint: string | null = null) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side,
      uniforms: {
        middle: { value: this.middle },
        extent: { value: extent },
        spacing: { value: spacing },
        strength: { value: 0.3 },
        ground: { value: new THREE.Color() },
        grid: { value: new THREE.Color() },
      },
    });
    const patch = new THREE.Mesh(new THREE.PlaneGeometry(2 * extent, 2 * extent), this.material);
    this.shade.side = side;
    const shade = new THREE.Mesh(patch.geometry, this.shade);
    this.patches = [patch, shade];
    shade.receiveShadow = true;
    patch.renderOrder = -2;
    shade.renderOrder = -1;
    this.object.add(patch, shade);
    this.object.matrixAutoUpdate = false;
  }

  /** The patch lies below what is looked at, and its lines stay where they are; a plate stays on its body. */
  centre(target: THREE.Vector3): void {
    if (this.paint) return;
    this.at.copy(target).applyMatrix4(this.back.copy(this.object.matrix).invert());
    this.put(this.at.x, this.at.y);
  }

  /** Puts the middle of the patch there in the plane. */
  put(x: number, y: number): void {
    this.middle.set(x, y);
    for (const patch of this.patches) patch.position.set(x, y, 0);
  }

  theme(theme: Theme): void {
    (this.material.uniforms.ground.value as THREE.Color).set(theme.ground);
    (this.material.uniforms.grid.value as THREE.Color).set(theme.grid);
    this.material.uniforms.strength.value = theme.name === "dark" ? 0.16 : 0.34;
    if (this.paint) {
      (this.material.uniforms.ground.value as THREE.Color).set(this.paint);
      (this.material.uniforms.grid.value as THREE.Color).set(this.paint);
      this.material.uniforms.strength.value = 0.4;
    }
    this.shade.opacity = theme.name === "dark" ? 0.45 : 0.2;
  }
}
