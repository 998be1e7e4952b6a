/** The axes of the world, in a corner. */

import * as THREE from "three";
import type { Theme } from "../theme/theme";

const COLOURS = ["#d9534f", "#3f9e5c", "#4c86d6"];
const NAMES = ["x", "y", "z"];
/** Half the side of the corner, and the length of an axis [px]. */
const HALF = 38;
const LENGTH = 24;

export class Axes {
  private readonly v = new THREE.Vector3();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly camera: THREE.Camera,
  ) {
    canvas.width = canvas.height = 2 * HALF * devicePixelRatio;
  }

  draw(theme: Theme): void {
    const g = this.canvas.getContext("2d");
    if (!g) return;
    g.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    g.clearRect(0, 0, 2 * HALF, 2 * HALF);
    g.font = "600 11px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 2.2;
    g.lineCap = "round";
    for (let i = 0; i < 3; i++) {
      this.v.set(0, 0, 0).setComponent(i, 1).transformDirection(this.camera.matrixWorldInverse);
      const { x, y, z } = this.v;
      g.globalAlpha = z < -0.3 ? 0.55 : 1;
      g.strokeStyle = g.fillStyle = COLOURS[i];
      g.beginPath();
      g.moveTo(HALF, HALF);
      g.lineTo(HALF + LENGTH * x, HALF - LENGTH * y);
      g.stroke();
      g.fillStyle = theme.text;
      g.fillText(NAMES[i], HALF + (LENGTH + 9) * x, HALF - (LENGTH + 9) * y);
    }
  }
}
