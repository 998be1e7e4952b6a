/** The bar below: play, step, slider with the events on it, speed. */

import type { Film } from "../data/film";
import { rate, time } from "../data/format";
import { element, signed } from "../panels/dom";
import { icon } from "../panels/icons";
import type { Theme } from "../theme/theme";
import { type Player, SPEEDS } from "./player";

/** Steps of the slider. */
const FINE = 100_000;

export class Bar {
  private readonly slider = element("input");
  private readonly play = signed("play", "Play or pause (space)", () => this.player.toggle());
  private readonly clock = element("span", "time");
  private readonly ticks = element("canvas");
  private readonly speed = element("select");
  private shown = "";

  constructor(
    parent: HTMLElement,
    private readonly film: Film,
    private readonly player: Player,
  ) {
    this.play.classList.add("play");
    this.slider.type = "range";
    this.slider.max = String(FINE);
    this.slider.step = "1";
    this.slider.setAttribute("aria-label", "Time");
    this.slider.addEventListener("input", () => {
      this.player.playing = false;
      this.player.seek(this.player.start + (Number(this.slider.value) / FINE) * this.player.length);
    });
    this.speed.hidden = film.modes.length > 0;
    for (const s of SPEEDS.filter((s) => s * 2000 > player.length * 0.02 && s < player.length * 20)) {
      const option = element("option");
      option.value = String(s);
      option.textContent = rate(s);
      this.speed.append(option);
    }
    this.speed.title = "Speed (↑ ↓): seconds of the run a second";
    this.speed.setAttribute("aria-label", "Speed");
    this.speed.addEventListener("change", () => {
      this.player.speed = Number(this.speed.value);
    });
    const track = element("div", "track");
    track.append(this.ticks, this.slider);
    parent.append(
      signed("start", "To the start (Home)", () => player.seek(player.start)),
      signed("back", "A frame back (←)", () => player.step(-1)),
      this.play,
      signed("on", "A frame on (→)", () => player.step(1)),
      track,
      this.clock,
      this.speed,
    );
    player.onChange(() => this.settings());
    this.settings();
  }

  private settings(): void {
    this.play.replaceChildren(icon(this.player.playing ? "pause" : "play"));
    const { speed } = this.player;
    if (![...this.speed.options].some((o) => Number(o.value) === speed)) {
      const option = element("option");
      option.value = String(speed);
      option.textContent = rate(speed);
      this.speed.append(option);
    }
    this.speed.value = String(speed);
  }

  /** Where the film is. */
  update(): void {
    const { player } = this;
    const share = player.length > 0 ? (player.time - player.start) / player.length : 0;
    const value = String(Math.round(share * FINE));
    if (this.slider.value !== value) this.slider.value = value;
    const text =
      this.film.modes.length > 0 ? `phase ${Math.round(360 * share)}°` : `${time(player.time, player.length).replace(" s", "")} / ${time(player.end, player.length)}`;
    if (text !== this.shown) this.clock.textContent = this.shown = text;
  }

  /** Marks of touches, below the slider. */
  draw(theme: Theme): void {
    const ratio = devicePixelRatio;
    const { clientWidth: w, clientHeight: h } = this.ticks;
    this.ticks.width = w * ratio;
    this.ticks.height = h * ratio;
    const g = this.ticks.getContext("2d");
    if (!g || this.player.length <= 0) return;
    g.scale(ratio, ratio);
    g.globalAlpha = 0.55;
    // the thumb of a slider does not go to its very ends
    const x = (t: number) => 8 + ((t - this.player.start) / this.player.length) * (w - 16);
    let last = -1;
    for (const event of this.film.events) {
      const at = Math.round(x(event.t));
      if (event.kind !== "touch" || at === last) continue;
      last = at;
      g.fillStyle = theme.force;
      g.fillRect(at - 0.5, h - 7, 1, 5);
    }
  }
}
