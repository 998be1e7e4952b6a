/** What the colours of tractions mean. */

import { quantity } from "../data/format";
import { ATTRACTION, DECADES, REPULSION } from "../scene3d/fields";
import { element } from "./dom";

export function legend(card: HTMLElement, greatest: number, damped: boolean): void {
  const ramp = element("div", "ramp");
  ramp.style.background = `linear-gradient(90deg, ${[...ATTRACTION].reverse().join(",")}, #9aa4af, ${REPULSION.join(",")})`;
  const ends = element("div", "ends");
  ends.append(element("span", "", "attracts"), element("span", "", `repels ${quantity(greatest, "N/m²")}`));
  card.replaceChildren(element("span", "", `Field traction${damped ? " with damping" : ""}, ${DECADES} decades`), ramp, ends);
}
