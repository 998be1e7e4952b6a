/** Buttons for what is shown. In a narrow page the switches are behind a button of their own. */

import { button, element, signed } from "./dom";
import type { Sign } from "./icons";

export interface Switch {
  label: string;
  key: string;
  doc: string;
  on: boolean;
  set: (on: boolean) => void;
}

export class Tools {
  private readonly buttons = new Map<Switch, HTMLButtonElement>();

  /** `panels`: what else opens by a button in a narrow page, and is always there in a wide one. */
  constructor(parent: HTMLElement, switches: Switch[], others: { sign: Sign; doc: string; run: () => void }[], panels: [string, HTMLElement][]) {
    const list = element("div", "switches");
    for (const s of switches) {
      const item = button(s.label, `${s.doc} (${s.key})`, () => this.toggle(s));
      this.buttons.set(s, item);
      list.append(item);
      this.set(s, s.on);
    }
    for (const [label, panel] of [["Show", list] as [string, HTMLElement], ...panels]) parent.append(opener(label, panel));
    parent.append(list);
    for (const { sign, doc, run } of others) parent.append(signed(sign, doc, run));
  }

  set(s: Switch, on: boolean): void {
    s.on = on;
    s.set(on);
    this.buttons.get(s)?.setAttribute("aria-pressed", String(on));
  }

  toggle(s: Switch): void {
    this.set(s, !s.on);
  }
}

/** A button that opens a panel in a narrow page, one at a time. */
function opener(label: string, panel: HTMLElement): HTMLButtonElement {
  const item = button(label, `${label}: open or close`, () => {
    const open = !panel.classList.contains("open");
    for (const other of document.querySelectorAll(".open")) other.classList.remove("open");
    for (const other of document.querySelectorAll(".opener")) other.setAttribute("aria-expanded", "false");
    panel.classList.toggle("open", open);
    item.setAttribute("aria-expanded", String(open));
  });
  item.className = "opener";
  item.setAttribute("aria-expanded", "false");
  return item;
}
