/** The list of bodies: a click follows one. */

import type { Film } from "../data/film";
import { colour } from "../theme/theme";
import { button, element } from "./dom";

/** More are too many for a list; pointing at them still works. */
const MOST = 60;

export class BodyList {
  private readonly buttons = new Map<number, HTMLButtonElement>();

  constructor(parent: HTMLElement, film: Film, follow: (body: number) => void) {
    const moving = film.bodies.flatMap((b, i) => (b.fixed ? [] : [i]));
    for (const i of moving.slice(0, MOST)) {
      const { name, colour: paint } = film.bodies[i];
      const item = button("", `Follow ${name}`, () => follow(i));
      item.className = "body";
      const dot = element("i", "dot");
      dot.style.background = colour(paint ?? 0);
      item.append(dot, element("span", "", name));
      parent.append(item);
      this.buttons.set(i, item);
    }
    if (moving.length > MOST) parent.append(element("p", "more", `and ${moving.length - MOST} more`));
  }

  following(body: number): void {
    for (const [i, item] of this.buttons) item.setAttribute("aria-pressed", String(i === body));
  }
}
