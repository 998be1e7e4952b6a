/** All that is in the picture, put where it is at a moment. */

import * as THREE from "three";
import type { Film } from "../data/film";
import { find, type Moment, nearest } from "../data/sample";
import type { Theme } from "../theme/theme";
import { ActionMarks } from "./actions";
import { Bodies } from "./bodies";
import { BushingMarks } from "./bushings";
import { Eye, framed, upward } from "./camera";
import { ContactMarks } from "./contacts";
import { FieldColours } from "./fields";
import { JointMarks } from "./joints";
import { SliceMarks } from "./slices";
import { Stage } from "./stage";
import { Trails } from "./trails";

/** More bodies cast no shadows. */
const SHADOWS = 300;

export class World {
  readonly stage: Stage;
  readonly eye: Eye;
  readonly bodies: Bodies;
  readonly contacts: ContactMarks;
  readonly joints: JointMarks;
  readonly bushings: BushingMarks;
  readonly actions: ActionMarks;
  readonly trails: Trails;
  readonly slices: SliceMarks;
  readonly fields: FieldColours;
  readonly moment: Moment = { frame: 0, share: 0 };
  /** the nearest frame: what has no meaning between frames is that one's */
  frame = 0;
  private fresh = false;
  /** the time that is shown */
  time = NaN;
  private readonly seen = new THREE.Matrix4();

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly film: Film,
  ) {
    const up = upward(film);
    this.stage = new Stage(canvas, up);
    this.eye = new Eye(canvas, film, up);
    const { radius, centre } = this.eye;
    const size = 2 * radius;
    const extent = 2.4 * size;
    this.bodies = new Bodies(film, size, extent, up);
    if (!this.bodies.hasGround && film.bodies.length > 0) this.bodies.floor(this.floor(up), extent, size);
    this.contacts = new ContactMarks(film, size);
    this.joints = new JointMarks(film, size);
    this.bushings = new BushingMarks(film, size);
    this.joints.object.add(this.bushings.object);
    this.actions = new ActionMarks(film, size);
    this.trails = new Trails(film);
    this.slices = new SliceMarks(film);
    this.fields = new FieldColours(film, this.bodies);
    this.stage.light(centre, radius, up);
    this.stage.shadows(film.bodies.length <= SHADOWS);
    this.stage.scene.add(
      this.bodies.object,
      this.contacts.object,
      this.joints.object,
      this.actions.object,
      this.trails.object,
      this.slices.object,
    );
  }

  /** Under everything, square to gravity. */
  private floor(up: THREE.Vector3): THREE.Matrix4 {
    const [low, high] = framed(this.film);
    const p = this.eye.centre.clone();
    for (const i of [0, 1, 2]) {
      const height = high[i] - low[i];
      if (up.getComponent(i) > 0.5) p.setComponent(i, low[i] - 0.02 * height);
      if (up.getComponent(i) < -0.5) p.setComponent(i, high[i] + 0.02 * height);
    }
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    return new THREE.Matrix4().compose(p, turn, new THREE.Vector3(1, 1, 1));
  }

  theme(theme: Theme): void {
    this.stage.theme(theme);
    this.bodies.theme(theme);
    this.contacts.theme(theme);
    this.joints.theme(theme);
    this.bushings.theme(theme);
    this.actions.theme(theme);
    this.slices.theme(theme);
  }

  resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.stage.resize(w, h, this.eye.camera);
    this.eye.centreIn(w, h);
    this.trails.resize(w, h);
  }

  /** Something else is to be seen. */
  changed(): void {
    this.fresh = false;
  }

  /** Puts everything where it is at a time, and says whether the picture is another than before. */
  update(time: number): boolean {
    const { camera } = this.eye;
    if (this.fresh && time === this.time) {
      this.eye.update(this.bodies.matrices);
      camera.updateMatrixWorld();
      if (this.seen.equals(camera.matrixWorld)) return false;
      this.seen.copy(camera.matrixWorld);
      this.surround();
      return true;
    }
    this.fresh = true;
    this.time = time;
    find(this.film.t, time, this.moment);
    this.frame = nearest(this.film, this.moment);
    this.bodies.update(this.moment);
    const { matrices } = this.bodies;
    if (this.contacts.object.visible) this.contacts.update(this.frame);
    if (this.joints.object.visible) {
      this.joints.update(matrices, this.frame);
      this.bushings.update(matrices);
    }
    if (this.actions.object.visible) this.actions.update(matrices, this.frame);
    this.slices.update(matrices, this.frame);
    this.trails.update(this.moment.frame);
    this.fields.update(this.moment);
    this.eye.update(matrices);
    camera.updateMatrixWorld();
    this.seen.copy(camera.matrixWorld);
    this.surround();
    return true;
  }

  /** Ground and light go with what is looked at. */
  private surround(): void {
    const { target } = this.eye.controls;
    this.bodies.look(target);
    this.stage.follow(target);
  }

  draw(): void {
    this.stage.draw(this.eye.camera);
  }

  /** The picture as it is, as a PNG. */
  picture(done: (png: Blob) => void): void {
    this.draw();
    this.canvas.toBlob((png) => png && done(png), "image/png");
  }
}
