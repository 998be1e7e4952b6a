/** The keys, in a dialog. */

import type { Action } from "../player/keys";
import { button, element } from "./dom";

export function help(dialog: HTMLDialogElement, actions: Action[]): void {
  const table = element("table");
  const row = (keys: string, doc: string) => {
    const line = element("tr");
    const cell = element("td");
    for (const key of keys.split(" ")) cell.append(element("kbd", "", key), " ");
    line.append(cell, element("td", "", doc));
    table.append(line);
  };
  for (const action of actions) row(action.shown, action.doc);
  row("drag", "turn; with the right button move, wheel nearer or farther");
  row("double-click", "follow a body");
  dialog.append(element("h2", "", "Keys"), table, button("Close", "Close (Escape)", () => dialog.close()));
}
