/** What to know before looking. */

import { button, element } from "./dom";

/** More are said to be there, and no more. */
const MOST = 5;

export function notices(parent: HTMLElement, all: string[]): void {
  const shown = all.slice(0, MOST);
  if (all.length > MOST) shown.push(`… and ${all.length - MOST} more`);
  for (const text of shown) {
    const notice = element("div", "notice", text);
    notice.append(button("×", "Close", () => notice.remove()));
    parent.append(notice);
  }
}
