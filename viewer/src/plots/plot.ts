/** Curves over time, on a canvas; a second one above has what moves. */

import type { Series } from "../data/film";
import { quantity } from "../data/format";
import { find, type Moment } from "../data/sample";
import { button, element } from "../panels/dom";
import { colour, type Theme } from "../theme/theme";
import { labels, range, ticks } from "./axis";
import type { Span } from "./span";

/** Room for labels [px]. */
const LEFT = 54;
const RIGHT = 10;
const TOP = 6;
const BOTTOM = 20;

/** What is smaller than this share of the greatest in its panel is rounding. */
const NOISE = 1e-12;

export interface Curve {
  series: Series;
  colour: string;
  hidden: boolean;
}

export class Plot {
  readonly root = element("section", "plot");
  readonly curves: Curve[];
  private readonly sheet = element("canvas");
  private readonly cursor = element("canvas");
  private readonly keys = element("div", "keys");
  private readonly values: HTMLElement[] = [];
  private readonly moment: Moment = { frame: 0, share: 0 };
  /** the greatest amount of all curves */
  private readonly size: number;
  private low = 0;
  private high = 1;
  private theme: Theme | null = null;
  private drawnAt = NaN;
  /** the size of the sheet [px] */
  private w = 0;
  private h = 0;

  constructor(
    private readonly t: Float64Array,
    readonly title: string,
    series: Series[],
    private readonly span: Span,
    seek: (t: number) => void,
    close: () => void,
  ) {
    this.curves = series.map((s, i) => ({ series: s, colour: colour(i), hidden: false }));
    this.size = Math.max(0, ...series.map(({ values }) => Math.max(...(range(values, 0, values.length - 1) ?? [0]).map(Math.abs))));
    const header = element("header");
    header.append(element("b", "", `${title} [${series[0]?.unit ?? ""}]`), button("×", "Close this plot", close));
    const frame = element("div", "sheet");
    frame.append(this.sheet, this.cursor);
    this.legend();
    this.root.append(header, this.keys, frame);
    this.pointers(seek);
    span.onChange(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(frame);
    new ResizeObserver(() => this.fade()).observe(this.keys);
    this.keys.addEventListener("scroll", () => this.fade());
  }

  private legend(): void {
    for (const curve of this.curves) {
      const key = button("", "Show or hide", () => {
        curve.hidden = !curve.hidden;
        key.setAttribute("aria-pressed", String(!curve.hidden));
        this.draw();
      });
      key.className = "key";
      key.setAttribute("aria-pressed", "true");
      const line = element("i");
      line.style.background = curve.colour;
      const value = element("span");
      this.values.push(value);
      key.append(line, element("span", "", curve.series.name), value);
      this.keys.append(key);
    }
  }

  /** A legend that goes on below fades at its end. */
  private fade(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.keys;
    this.keys.classList.toggle("longer", scrollTop + clientHeight < scrollHeight - 2);
  }

  private pointers(seek: (t: number) => void): void {
    const at = (event: MouseEvent) => {
      const box = this.cursor.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / Math.max(box.width - LEFT - RIGHT, 1);
      return this.span.from + Math.min(Math.max(share, 0), 1) * (this.span.to - this.span.from);
    };
    this.cursor.addEventListener("pointerdown", (event) => {
      this.cursor.setPointerCapture(event.pointerId);
      seek(at(event));
    });
    this.cursor.addEventListener("pointermove", (event) => {
      this.span.pointed = at(event);
      if (event.buttons & 1) seek(this.span.pointed);
    });
    this.cursor.addEventListener("pointerleave", () => {
      this.span.pointed = NaN;
    });
    this.cursor.addEventListener("dblclick", () => this.span.reset());
    this.cursor.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.span.zoom(at(event), event.deltaY > 0 ? 1.25 : 0.8);
      },
      { passive: false },
    );
  }

  /** Draws axes and curves anew. */
  draw(theme: Theme | null = this.theme): void {
    this.theme = theme;
    const w = this.sheet.clientWidth;
    const h = this.sheet.clientHeight;
    // kept: to ask for them in every picture would lay out the page each time
    this.w = w;
    this.h = h;
    if (!theme || w === 0 || h === 0) return;
    const ratio = devicePixelRatio;
    for (const canvas of [this.sheet, this.cursor]) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    this.drawnAt = NaN;
    const g = this.sheet.getContext("2d");
    if (!g) return;
    g.scale(ratio, ratio);
    const { t, span } = this;
    const first = Math.max(find(t, span.from, this.moment).frame, 0);
    const last = Math.min(find(t, span.to, this.moment).frame + 1, t.length - 1);
    this.scale(first, last);
    this.axes(g, w, h, theme);
    g.save();
    g.beginPath();
    g.rect(LEFT, TOP - 2, w - LEFT - RIGHT, h - TOP - BOTTOM + 4);
    g.clip();
    g.lineWidth = 1.5;
    g.lineJoin = "round";
    for (const curve of this.curves) if (!curve.hidden) this.curve(g, curve, first, last, w, h);
    g.restore();
  }

  private scale(first: number, last: number): void {
    let low = Infinity;
    let high = -Infinity;
    for (const { series, hidden } of this.curves) {
      const r = hidden ? null : range(series.values, first, last);
      if (!r) continue;
      low = Math.min(low, r[0]);
      high = Math.max(high, r[1]);
    }
    if (!(low <= high)) [low, high] = [0, 1];
    // what is constant but for rounding is drawn as a line
    const size = Math.max(Math.abs(low), Math.abs(high));
    const room = high - low > 1e-5 * size ? 0.06 * (high - low) : 0.1 * size || 1;
    this.low = low - room;
    this.high = high + room;
  }

  private x(time: number, w: number): number {
    return LEFT + ((time - this.span.from) / (this.span.to - this.span.from || 1)) * (w - LEFT - RIGHT);
  }

  private y(value: number, h: number): number {
    return h - BOTTOM - ((value - this.low) / (this.high - this.low)) * (h - TOP - BOTTOM);
  }

  private axes(g: CanvasRenderingContext2D, w: number, h: number, theme: Theme): void {
    g.font = "11px system-ui, sans-serif";
    g.lineWidth = 1;
    g.strokeStyle = theme.line;
    g.fillStyle = theme.faint;
    const across = ticks(this.span.from, this.span.to, w / 90);
    const up = ticks(this.low, this.high, Math.max(h / 30, 3));
    g.beginPath();
    for (const time of across) {
      g.moveTo(Math.round(this.x(time, w)) + 0.5, TOP);
      g.lineTo(Math.round(this.x(time, w)) + 0.5, h - BOTTOM);
    }
    for (const value of up) {
      g.moveTo(LEFT, Math.round(this.y(value, h)) + 0.5);
      g.lineTo(w - RIGHT, Math.round(this.y(value, h)) + 0.5);
    }
    g.stroke();
    g.textAlign = "center";
    g.textBaseline = "top";
    const names = labels(across);
    across.forEach((time, i) => {
      const text = names[i] + (i === across.length - 1 ? " s" : "");
      // the last one ends within the sheet
      g.fillText(text, Math.min(this.x(time, w), w - 1 - 0.5 * g.measureText(text).width), h - BOTTOM + 5);
    });
    g.textAlign = "right";
    g.textBaseline = "middle";
    const numbers = labels(up);
    up.forEach((value, i) => g.fillText(numbers[i], LEFT - 6, this.y(value, h)));
  }

  /** Of many frames in a column of pixels, the least and the greatest. */
  private curve(g: CanvasRenderingContext2D, { series, colour }: Curve, first: number, last: number, w: number, h: number): void {
    g.strokeStyle = colour;
    g.beginPath();
    const dense = last - first > 3 * w;
    let pen = false;
    let column = NaN;
    let [low, high, end] = [NaN, NaN, NaN];
    const flush = () => {
      if (Number.isNaN(column)) return;
      if (!pen) g.moveTo(column, this.y(low, h));
      g.lineTo(column, this.y(low, h));
      g.lineTo(column, this.y(high, h));
      g.lineTo(column, this.y(end, h));
      pen = true;
    };
    for (let i = first; i <= last; i++) {
      const value = series.values[i];
      if (Number.isNaN(value)) {
        if (dense) flush();
        column = NaN;
        pen = false;
        continue;
      }
      const x = this.x(this.t[i], w);
      if (!dense) {
        if (pen) g.lineTo(x, this.y(value, h));
        else g.moveTo(x, this.y(value, h));
        pen = true;
        continue;
      }
      const pixel = Math.round(x);
      if (pixel !== column) {
        flush();
        column = pixel;
        low = high = value;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      end = value;
    }
    if (dense) flush();
    g.stroke();
  }

  /** The line at the film's time, and the values there; under the pointer, those of the pointer. */
  update(time: number): void {
    const shown = Number.isNaN(this.span.pointed) ? time : this.span.pointed;
    const key = shown + 1e3 * time;
    if (key === this.drawnAt || !this.theme) return;
    this.drawnAt = key;
    const g = this.cursor.getContext("2d");
    if (!g) return;
    const ratio = devicePixelRatio;
    const { w, h } = this;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    const line = (at: number, paint: string, dash: number[]) => {
      const x = this.x(at, w);
      if (x < LEFT - 1 || x > w - RIGHT + 1) return;
      g.strokeStyle = paint;
      g.setLineDash(dash);
      g.beginPath();
      g.moveTo(x, TOP);
      g.lineTo(x, h - BOTTOM);
      g.stroke();
    };
    line(time, this.theme.accent, []);
    if (shown !== time) line(shown, this.theme.faint, [3, 3]);
    const { frame, share } = find(this.t, shown, this.moment);
    this.curves.forEach(({ series, colour, hidden }, i) => {
      const a = series.values[frame];
      const value = share > 0 ? a + share * (series.values[frame + 1] - a) : a;
      // rounding beside what else is in the panel is zero
      const text = quantity(Math.abs(value) < NOISE * this.size ? 0 : value, series.unit);
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
      const x = this.x(shown, w);
      if (hidden || Number.isNaN(value) || x < LEFT - 1 || x > w - RIGHT + 1) return;
      g.fillStyle = colour;
      g.beginPath();
      g.arc(x, this.y(value, h), 3, 0, 2 * Math.PI);
      g.fill();
    });
  }
}
