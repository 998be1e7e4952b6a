/** Loads, motors and springs along coordinates: their forces as arrows, their couples as arcs about their axes. */

import * as THREE from "three";
import type { Action, Film } from "../data/film";
import type { Theme } from "../theme/theme";
import { Arrows } from "./arrows";
import { bodySizes, middling } from "./sizes";
import { greatest, Turns } from "./turns";

/** What is below this share of the greatest is rounding. */
const NOISE = 1e-3;

export class ActionMarks {
  readonly object = new THREE.Group();
  readonly forces: Arrows;
  readonly couples: Turns;
  /** times the usual length of arrows */
  scale = 1;
  private readonly actions: Action[];
  private readonly greatest: number;
  private readonly greatestCouple: number;
  /** the length of the greatest force's arrow [m] */
  private readonly reach: number;
  private readonly matrix = new THREE.Matrix4();
  private readonly point = new THREE.Vector3();

  constructor(film: Film, size: number) {
    // what a bushing does is as that of a spring: its symbol is drawn, not its force
    this.actions = film.actions.filter((a) => !a.bushing && a.force.length > 0);
    this.reach = 0.3 * Math.min(size, 2.5 * middling(film, bodySizes(film), size));
    this.forces = new Arrows(this.actions.length, 0.014 * this.reach);
    this.couples = new Turns(this.actions.length);
    this.object.add(this.forces.object, this.couples.object);
    this.greatest = Math.max(0, ...this.actions.map((a) => greatest(a.force, 3, 0)));
    this.greatestCouple = Math.max(0, ...this.actions.map((a) => greatest(a.couple, 3, 0)));
  }

  /** Whether there is something to draw in any frame. */
  get any(): boolean {
    return this.greatest > 0 || this.greatestCouple > 0;
  }

  theme(theme: Theme): void {
    this.forces.material.color.set(theme.load);
    this.couples.material.color.set(theme.load);
  }

  /** `matrices`: where bodies are, 16 numbers each. */
  update(matrices: Float32Array, frame: number): void {
    this.forces.begin();
    this.couples.begin();
    const k = 3 * frame;
    for (const { bodies, points, end, force: f, couple: m } of this.actions) {
      if (f.length < k + 3) continue;
      const p = points[end];
      const { x, y, z } = this.point.set(p[0], p[1], p[2]).applyMatrix4(this.matrix.fromArray(matrices, 16 * bodies[end]));
      if (Math.hypot(f[k], f[k + 1], f[k + 2]) > NOISE * this.greatest) {
        const s = (this.scale * this.reach) / this.greatest;
        this.forces.add(x, y, z, s * f[k], s * f[k + 1], s * f[k + 2]);
      }
      if (Math.hypot(m[k], m[k + 1], m[k + 2]) > NOISE * this.greatestCouple) {
        const s = (0.25 * this.scale * this.reach) / this.greatestCouple;
        this.couples.add(x, y, z, s * m[k], s * m[k + 1], s * m[k + 2]);
      }
    }
    this.forces.end();
    this.couples.end();
  }
}
