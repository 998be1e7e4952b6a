/** The list of mode shapes: a click shows one over its period. */

import type { Film, Mode } from "../data/film";
import { quantity } from "../data/format";
import type { Player } from "../player/player";
import { button, element } from "./dom";

export class ModeList {
  private readonly buttons: HTMLButtonElement[] = [];
  shown = 0;

  constructor(
    parent: HTMLElement,
    private readonly film: Film,
    private readonly player: Player,
  ) {
    parent.hidden = false;
    parent.setAttribute("aria-label", "Modes");
    parent.classList.add("modes");
    parent.append(element("h2", "", "Modes"), element("p", "more", "One period each, magnified; the list says which bodies move most."));
    film.modes.forEach((mode, i) => {
      const item = button("", `Show mode ${i + 1}`, () => this.show(i));
      item.className = "mode";
      item.append(element("b", "", heading(film.modes, i)), element("span", "", mode.shape));
      this.buttons.push(item);
      parent.append(item);
    });
    // what stays displaced, or moves on, tells less than what swings
    this.show(Math.max(film.modes.findIndex((mode) => mode.kind !== "neutral"), 0));
  }

  /** Shows a mode; past the last, the first. */
  show(i: number): void {
    const { film, player } = this;
    this.shown = (i + film.modes.length) % film.modes.length;
    const { first, last } = film.modes[this.shown];
    player.within(film.t[first], film.t[last]);
    this.buttons.forEach((item, k) => item.setAttribute("aria-pressed", String(k === this.shown)));
    this.buttons[this.shown].scrollIntoView({ block: "nearest" });
  }
}

/** Its number and frequency; with damping, its damping ratio. */
function heading(all: Mode[], i: number): string {
  const mode = all[i];
  const without = all.filter((m) => m.damping_ratio === null).length;
  const number = mode.damping_ratio === null ? `${i + 1}` : `${i - without + 1} with damping`;
  if (mode.kind === "neutral") return `${number}  ·  neutral`;
  const frequency = mode.damping_ratio === null && mode.kind === "grows" ? "unstable" : quantity(mode.frequency, "Hz");
  const damping = mode.damping_ratio === null ? "" : `  ·  ζ = ${Number(mode.damping_ratio.toPrecision(3))}`;
  return `${number}  ·  ${frequency}${damping}`;
}
