/** The ways of bodies and probes so far. */

import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Film } from "../data/film";
import { colour } from "../theme/theme";

/** Of more bodies, only that which is followed has a trail. */
const MOST = 60;

interface Trail {
  body: number;
  line: Line2;
  geometry: LineGeometry;
}

export class Trails {
  readonly object = new THREE.Group();
  private readonly trails: Trail[] = [];
  private readonly made = new Set<number>();
  private on = false;
  private followed = -1;

  constructor(private readonly film: Film) {
    this.object.visible = false;
    film.probes.forEach((probe, i) => this.make(-1, probe.position, colour(i + 3)));
  }

  /** Shows them, or not. */
  show(on: boolean): void {
    this.on = on;
    this.object.visible = on;
    const moving = this.film.bodies.flatMap((b, i) => (b.fixed ? [] : [i]));
    if (on && moving.length <= MOST) moving.forEach((b) => this.want(b));
  }

  follow(body: number): void {
    this.followed = body;
    if (body >= 0 && this.on) this.want(body);
  }

  private want(b: number): void {
    const body = this.film.bodies[b];
    if (this.made.has(b) || body.fixed) return;
    this.made.add(b);
    this.make(b, body.position, colour(body.colour ?? 0));
  }

  private make(body: number, positions: Float32Array, paint: string): void {
    if (positions.length < 6) return;
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    const material = new LineMaterial({ color: paint, linewidth: 2, transparent: true, opacity: 0.8 });
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    this.object.add(line);
    this.trails.push({ body, line, geometry });
  }

  update(frame: number): void {
    if (!this.on) return;
    if (this.followed >= 0) this.want(this.followed);
    for (const { geometry, line } of this.trails) {
      geometry.instanceCount = frame;
      line.visible = frame > 0;
    }
  }

  resize(width: number, height: number): void {
    for (const { line } of this.trails) line.material.resolution.set(width, height);
  }
}
