/** Buttons for what is shown. */

import { button, signed } from "./dom";
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

  constructor(parent: HTMLElement, switches: Switch[], others: { sign: Sign; doc: string; run: () => void }[]) {
    for (const s of switches) {
      const item = button(s.label, `${s.doc} (${s.key})`, () => this.toggle(s));
      this.buttons.set(s, item);
      parent.append(item);
      this.set(s, s.on);
    }
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
