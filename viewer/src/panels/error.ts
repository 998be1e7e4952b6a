/** Says what went wrong instead of showing nothing. */

import { byId, element } from "./dom";

export function say(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  byId("notices").append(element("div", "notice", `The picture cannot be shown: ${why}`));
}
