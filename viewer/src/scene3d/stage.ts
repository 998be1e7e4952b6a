/** Renderer, lights, background. */

import * as THREE from "three";
import type { Theme } from "../theme/theme";

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  /** soft, from the other side */
  private readonly fill = new THREE.DirectionalLight(0xdfe9ff, 0.6);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb9c0cb, 1);

  constructor(canvas: HTMLCanvasElement, up: THREE.Vector3) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.sky.position.copy(up);
    this.scene.add(this.sky, this.sun, this.sun.target, this.fill, this.fill.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.intensity = 0.7;
  }

  /** Lights for a ball of space. */
  light(centre: THREE.Vector3, radius: number, up: THREE.Vector3): void {
    const aside = Math.abs(up.x) > 0.5 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const across = new THREE.Vector3().crossVectors(up, aside);
    const from = up.clone().multiplyScalar(2).addScaledVector(aside, 0.55).addScaledVector(across, -0.75).normalize();
    this.sun.position.copy(centre).addScaledVector(from, 4 * radius);
    this.sun.target.position.copy(centre);
    this.fill.position.copy(centre).addScaledVector(aside, -3 * radius).addScaledVector(across, -2 * radius).addScaledVector(up, radius);
    this.fill.target.position.copy(centre);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -1.25 * radius;
    camera.right = camera.top = 1.25 * radius;
    camera.near = radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    this.sun.shadow.bias = -0.0004;
  }

  /** The sun stands over what is looked at. */
  follow(target: THREE.Vector3): void {
    this.sun.position.sub(this.sun.target.position).add(target);
    this.sun.target.position.copy(target);
  }

  /** Very many bodies cast no shadows: they would cost a second picture. */
  shadows(on: boolean): void {
    this.sun.castShadow = on;
  }

  /** Cheaper pictures, one thing after the other, for machines that are slow with these; says whether there was something to leave out. */
  economise(): boolean {
    if (this.renderer.getPixelRatio() > 1) this.renderer.setPixelRatio(1);
    else if (this.sun.castShadow) this.sun.castShadow = false;
    else return false;
    return true;
  }

  theme(theme: Theme): void {
    this.scene.background = new THREE.Color(theme.background);
    const dark = theme.name === "dark";
    this.sky.intensity = dark ? 1.6 : 2.4;
    this.sun.intensity = dark ? 2.2 : 2.4;
  }

  resize(width: number, height: number, camera: THREE.PerspectiveCamera): void {
    this.renderer.setSize(width, height, false);
    camera.aspect = width / Math.max(height, 1);
    camera.updateProjectionMatrix();
  }

  draw(camera: THREE.Camera): void {
    this.renderer.render(this.scene, camera);
  }
}
