/** What to know before looking: how the run ended is said at once, warnings are folded away behind one line. */

import { button, element } from "./dom";

/** How warnings begin. */
const WARNING = "Warning: ";

export function notices(parent: HTMLElement, all: string[]): void {
  for (const text of all.filter((n) => !n.startsWith(WARNING))) {
    const notice = element("div", "notice", text);
    notice.append(button("×", "Close", () => notice.remove()));
    parent.append(notice);
  }
  const warnings = all.filter((n) => n.startsWith(WARNING)).map((n) => n.slice(WARNING.length));
  if (warnings.length > 0) parent.append(folded(warnings));
}

/** One line that opens, and scrolls if it is long. */
function folded(warnings: string[]): HTMLElement {
  const fold = element("details", "notice warnings");
  const list = element("ul");
  for (const text of warnings) list.append(element("li", "", text));
  fold.append(element("summary", "", warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`), list);
  fold.append(button("×", "Close", () => fold.remove()));
  return fold;
}
