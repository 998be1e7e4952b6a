/** The plots beside the picture, and the list that more are chosen from. */

import type { Film } from "../data/film";
import { element } from "../panels/dom";
import type { Theme } from "../theme/theme";
import { Plot } from "./plot";
import { type Choice, choices } from "./quantities";
import { Span } from "./span";

export class PlotPanel {
  private plots: Plot[] = [];
  private readonly add = element("div", "add");
  private readonly span: Span;
  private theme: Theme | null = null;

  constructor(
    private readonly parent: HTMLElement,
    private readonly film: Film,
    private readonly seek: (t: number) => void,
  ) {
    const { t } = film;
    this.span = new Span(t[0] ?? 0, t[t.length - 1] ?? 0);
    const { all, first } = choices(film);
    if (t.length < 2 || all.length === 0 || film.modes.length > 0) {
      parent.hidden = true;
      return;
    }
    this.list(all);
    for (const choice of first) this.open(choice);
  }

  private list(all: Choice[]): void {
    const select = element("select");
    select.setAttribute("aria-label", "Add a plot");
    select.append(element("option", "", "Add a plot …"));
    const groups = new Map<string, HTMLOptGroupElement>();
    all.forEach((choice, i) => {
      let group = groups.get(choice.group);
      if (!group) {
        group = element("optgroup");
        group.label = choice.group;
        groups.set(choice.group, group);
        select.append(group);
      }
      const option = element("option", "", choice.title);
      option.value = String(i);
      group.append(option);
    });
    select.addEventListener("change", () => {
      const choice = all[Number(select.value)];
      if (choice) this.open(choice);
      select.selectedIndex = 0;
      select.blur();
    });
    this.add.append(select);
    this.parent.append(this.add);
  }

  /** A plot more, once each. */
  private open(choice: Choice): void {
    if (this.plots.some((p) => p.title === choice.title)) return;
    const plot: Plot = new Plot(this.film.t, choice.title, choice.make(), this.span, this.seek, () => {
      plot.root.remove();
      this.plots = this.plots.filter((p) => p !== plot);
    });
    this.plots.push(plot);
    this.parent.insertBefore(plot.root, this.add);
    if (this.theme) plot.draw(this.theme);
  }

  draw(theme: Theme): void {
    this.theme = theme;
    for (const plot of this.plots) plot.draw(theme);
  }

  update(time: number): void {
    if (this.parent.hidden) return;
    for (let i = 0; i < this.plots.length; i++) this.plots[i].update(time);
  }
}
