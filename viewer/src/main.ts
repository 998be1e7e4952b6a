/** The viewer: reads the film in the page, shows it. */

import { decode } from "./data/decode";
import type { Film } from "./data/film";
import { quantity } from "./data/format";
import { framed, traveller } from "./scene3d/camera";
import { Picker } from "./scene3d/pick";
import { holds } from "./scene3d/sizes";
import { World } from "./scene3d/world";
import { Axes } from "./panels/axes";
import { BodyList } from "./panels/bodies";
import { byId } from "./panels/dom";
import { say } from "./panels/error";
import { help } from "./panels/help";
import { legend } from "./panels/legend";
import { ModeList } from "./panels/modes";
import { notices } from "./panels/notices";
import { told, Tip } from "./panels/tip";
import { type Switch, Tools } from "./panels/tools";
import { Bar } from "./player/bar";
import { type Action, listen } from "./player/keys";
import { Player } from "./player/player";
import { PlotPanel } from "./plots/panel";
import { preferred, THEMES } from "./theme/theme";
import { Timing } from "./timing";

function film(): Film {
  const text = (id: string, none: string) => document.getElementById(id)?.textContent ?? none;
  return decode(text("carom-film", "null"), text("carom-numbers", ""));
}

class Viewer {
  readonly player: Player;
  readonly world: World;
  readonly timing = new Timing();
  private readonly bar: Bar;
  private readonly plots: PlotPanel;
  private readonly list: BodyList;
  private readonly picker: Picker;
  private readonly tip = new Tip(byId("tip"));
  private readonly canvas = byId<HTMLCanvasElement>("view");
  private readonly actions: Action[] = [];
  private readonly axes: Axes;
  private readonly modes: ModeList | null;
  private theme = THEMES[preferred()];
  private last = 0;
  /** where the pointer rests; −1: elsewhere */
  private pointer = { x: -1, y: -1, moved: 0 };

  constructor(readonly film: Film) {
    document.title = `${film.title} – Carom`;
    byId("title").textContent = film.title;
    byId("subtitle").textContent = subtitle(film);
    notices(byId("notices"), film.notices);
    this.player = new Player(film.t);
    this.world = new World(this.canvas, film);
    this.axes = new Axes(byId<HTMLCanvasElement>("axes"), this.world.eye.camera);
    this.bar = new Bar(byId("bar"), film, this.player);
    this.plots = new PlotPanel(byId("plots"), film, (t) => {
      this.player.playing = false;
      this.player.seek(t);
    });
    this.list = new BodyList(byId("bodies"), film, (b) => this.follow(b === this.world.eye.following ? -1 : b));
    this.picker = new Picker(film, this.world.bodies, this.world.eye.camera);
    if (film.fields.length > 0) {
      legend(byId("legend"), this.world.fields.greatest, film.fields.some((f) => f.damping.length > 0));
      byId("legend").hidden = false;
    }
    this.modes = film.modes.length > 0 ? new ModeList(byId("plots"), film, this.player) : null;
    this.switches();
    this.keyboard();
    this.pointers();
    new ResizeObserver(() => this.resize()).observe(byId("stage"));
    this.setTheme();
    this.resize();
    this.world.update(this.player.time);
    this.frameScene();
    // a mode shape at rest shows nothing
    if (this.modes && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.toggle();
    requestAnimationFrame((now) => this.tick(now));
  }

  private switches(): void {
    const { world } = this;
    const { contacts, joints, actions, trails, slices, fields, bodies } = world;
    const all: Switch[] = [];
    const add = (there: boolean, label: string, key: string, doc: string, on: boolean, set: (on: boolean) => void) => {
      if (there) all.push({ label, key, doc, on, set });
    };
    const has = this.film.contacts.values.length > 0;
    add(has, "Contacts", "c", "Contact points and forces", true, (on) => (contacts.object.visible = on));
    add(has, "Normals", "n", "Contact normals", false, (on) => (contacts.showNormals = on));
    add(slices.any, "Slices", "l", "Slices of rings", true, (on) => (slices.object.visible = on));
    add(this.film.fields.length > 0, "Tractions", "u", "Tractions of fields as colour", true, (on) => fields.show(on));
    add(holds(this.film).length > 0, "Joints", "j", "Joints and springs", true, (on) => (joints.object.visible = on));
    add(this.film.joints.some((j) => j.force.length > 0), "Reactions", "e", "Forces and couples in joints", false, (on) => (joints.showReactions = on));
    add(actions.any, "Loads", "a", "Forces and couples of loads, motors and springs along coordinates", true, (on) => (actions.object.visible = on));
    add(this.film.t.length > 1 && !this.modes, "Trails", "t", "Ways of bodies and probes so far", false, (on) => {
      trails.show(on);
      this.resize();
    });
    add(bodies.hasDecorations, "Surfaces", "o", "What touches, of bodies with shapes from files", false, (on) => bodies.surfaces(on));
    add(true, "Grid", "g", "Planes and grid", true, (on) => bodies.grids(on));
    add(!byId("plots").hidden, this.modes ? "Modes" : "Plots", "p", this.modes ? "List of modes" : "Plots", true, (on) => {
      byId("plots").hidden = !on;
      this.resize();
    });
    const tools = new Tools(byId("tools"), all, [
      { sign: "frame", doc: "Show the whole scene (r)", run: () => this.frameScene() },
      { sign: "theme", doc: "Light or dark (d)", run: () => this.otherTheme() },
      { sign: "picture", doc: "Save the picture (s)", run: () => this.save() },
      { sign: "help", doc: "Keys (?)", run: () => this.help() },
    ], this.film.bodies.some((b) => !b.fixed) ? [["Bodies", byId("bodies")]] : []);
    for (const s of all) this.actions.push({ keys: [s.key], shown: s.key, doc: s.doc, run: () => {
      tools.toggle(s);
      this.world.changed();
    } });
    byId("tools").addEventListener("click", () => this.world.changed());
  }

  private keyboard(): void {
    const { player, actions } = this;
    const add = (keys: string[], shown: string, doc: string, run: (shift: boolean) => void) => actions.push({ keys, shown, doc, run });
    add([" ", "k"], "space", "play or pause", () => player.toggle());
    add(["ArrowRight"], "→", "a frame on; with shift ten", (shift) => player.step(shift ? 10 : 1));
    add(["ArrowLeft"], "←", "a frame back; with shift ten", (shift) => player.step(shift ? -10 : -1));
    add(["Home"], "Home", "to the start", () => player.seek(player.start));
    add(["End"], "End", "to the end", () => player.seek(player.end));
    add(["ArrowUp", "+", "="], "↑ +", "faster", () => player.hurry(1));
    add(["ArrowDown", "-"], "↓ -", "slower", () => player.hurry(-1));
    add(["]"], "]", "longer arrows", () => this.scale(1.4));
    add(["["], "[", "shorter arrows", () => this.scale(1 / 1.4));
    add(["f"], "f", "follow the next body", () => this.followNext());
    add(["Escape"], "Esc", "follow none", () => this.follow(-1));
    add(["r"], "r", "show the whole scene", () => this.frameScene());
    add(["1"], "1", "look along x", () => this.world.eye.frame(framed(this.film), 0));
    add(["2"], "2", "look along y", () => this.world.eye.frame(framed(this.film), 1));
    add(["3"], "3", "look along z", () => this.world.eye.frame(framed(this.film), 2));
    const { modes } = this;
    if (modes) add(["m"], "m", "the next mode; with shift the one before", (shift) => modes.show(modes.shown + (shift ? -1 : 1)));
    add(["d"], "d", "light or dark", () => this.otherTheme());
    add(["s"], "s", "save the picture", () => this.save());
    add(["?", "h"], "?", "these keys", () => this.help());
    listen(actions);
    help(byId<HTMLDialogElement>("help"), actions);
  }

  private pointers(): void {
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      this.pointer = { x: event.clientX - box.left, y: event.clientY - box.top, moved: event.buttons === 0 ? performance.now() : Infinity };
      this.tip.hide();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.pointer.x = -1;
      this.tip.hide();
    });
    this.canvas.addEventListener("dblclick", () => {
      const picked = this.picked();
      this.follow(picked?.kind === "body" && !this.film.bodies[picked.body].fixed ? picked.body : -1);
    });
  }

  private picked() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const { contacts, joints } = this.world;
    return this.picker.pick(this.pointer.x, this.pointer.y, w, h, this.world.frame, contacts.object.visible, joints.object.visible);
  }

  /** Values of what is under a pointer that rests. */
  private hover(now: number): void {
    const { pointer } = this;
    const rests = pointer.x >= 0 && now - pointer.moved > 60;
    // while the film plays, a few times a second
    if (!rests || now - this.timing.hovered < 120) return;
    this.timing.hovered = now;
    const picked = this.picked();
    if (picked) this.tip.show(told(this.film, picked, this.world.moment, this.world.frame), pointer.x, pointer.y);
    else this.tip.hide();
  }

  private scale(by: number): void {
    this.world.contacts.scale *= by;
    this.world.joints.scale *= by;
    this.world.actions.scale *= by;
    this.world.changed();
  }

  follow(body: number): void {
    this.world.eye.follow(body, this.world.bodies.matrices);
    this.world.trails.follow(body);
    this.list.following(body);
    this.resize();
  }

  private followNext(): void {
    const moving = this.film.bodies.flatMap((b, i) => (b.fixed ? [] : [i]));
    this.follow(moving[(moving.indexOf(this.world.eye.following) + 1) % moving.length] ?? -1);
  }

  private frameScene(): void {
    const box = framed(this.film);
    this.follow(-1);
    this.world.eye.frame(box);
    if (box === this.film.bounds || box !== this.film.start) return;
    // a body that leaves the picture is gone after
    const body = traveller(this.film);
    if (body < 0) return;
    const target = this.world.eye.controls.target.clone();
    const [low, high] = box;
    const start = target.clone().set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    const moved = target.fromArray(this.world.bodies.matrices, 16 * body + 12).sub(start);
    this.world.eye.camera.position.add(moved);
    this.world.eye.controls.target.add(moved);
    this.follow(body);
  }

  private help(): void {
    const dialog = byId<HTMLDialogElement>("help");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  otherTheme(): void {
    this.theme = THEMES[this.theme.name === "dark" ? "light" : "dark"];
    this.setTheme();
  }

  private setTheme(): void {
    document.documentElement.dataset.theme = this.theme.name;
    this.world.changed();
    this.world.theme(this.theme);
    this.plots.draw(this.theme);
    this.bar.draw(this.theme);
  }

  private save(): void {
    this.world.picture((png) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(png);
      link.download = `${this.film.title.replace(/[^\p{L}\p{N}-]+/gu, "-") || "carom"}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  /** What share of the picture's width a long list of bodies covers. */
  private covered(): number {
    const { offsetLeft, offsetWidth, offsetHeight } = byId("bodies");
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const right = offsetLeft + offsetWidth;
    // a short list is in a corner, and on a narrow page it opens over the picture
    return offsetHeight > 0.3 * h && right < 0.4 * w ? right / w : 0;
  }

  private resize(): void {
    this.world.eye.covered = this.covered();
    this.world.resize();
    this.world.changed();
    this.bar.draw(this.theme);
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const began = performance.now();
    // a page that was asleep does not leap
    const passed = now - this.last;
    this.player.tick(Math.min(passed / 1000, 0.1));
    this.last = now;
    if (this.player.playing && this.timing.slow(passed) && this.world.stage.economise()) this.resize();
    this.bar.update();
    this.plots.update(this.player.time);
    // a picture that would be the same is not made again
    if (this.world.update(this.player.time)) {
      this.axes.draw(this.theme);
      this.world.draw();
      this.timing.note(performance.now() - began);
    }
    this.hover(now);
  }
}

function subtitle(film: Film): string {
  const moving = film.bodies.filter((b) => !b.fixed).length;
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  const parts = [count(moving, "moving body", "moving bodies")];
  const touches = film.events.filter((e) => e.kind === "touch").length;
  if (touches > 0) parts.push(count(touches, "touch", "touches"));
  if (film.modes.length > 0) parts.push(count(film.modes.length, "mode", "modes"));
  const length = film.t.length > 1 && film.modes.length === 0 ? film.t[film.t.length - 1] - film.t[0] : 0;
  if (length > 0) parts.unshift(quantity(length, "s"));
  return parts.join("  ·  ");
}

declare global {
  interface Window {
    /** for those who drive the page */
    carom?: Viewer;
  }
}

try {
  window.carom = new Viewer(film());
} catch (error) {
  say(error);
  throw error;
}
