/** Renderer, lights, background. */

import * as THREE from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Theme } from "../theme/theme";

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8b95a5, 0.55);

  constructor(canvas: HTMLCanvasElement, up: THREE.Vector3) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const maker = new THREE.PMREMGenerator(this.renderer);
    this.scene.environment = maker.fromScene(new RoomEnvironment(), 0.04, 0.1, 100, { size: 64 }).texture;
    maker.dispose();
    // the room has its ceiling along y
    const turned = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.scene.environmentRotation.setFromQuaternion(turned.invert());
    this.sky.position.copy(up);
    this.scene.add(this.sky, this.sun, this.sun.target);
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
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -1.25 * radius;
    camera.right = camera.top = 1.25 * radius;
    camera.near = radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    this.sun.shadow.bias = -0.0004;
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
    this.renderer.toneMappingExposure = dark ? 0.82 : 1.02;
    this.scene.environmentIntensity = dark ? 0.42 : 0.55;
    this.sky.intensity = dark ? 0.35 : 0.6;
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
