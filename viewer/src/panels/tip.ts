/** Values of what is under the pointer. */

import { CONTACT, type Film } from "../data/film";
import { quantity } from "../data/format";
import { lerp, type Moment } from "../data/sample";
import type { Picked } from "../scene3d/pick";
import { element } from "./dom";

type Row = [string, string];

const amount = (x: ArrayLike<number>, i: number) => Math.hypot(x[i], x[i + 1], x[i + 2]);
const vector = (x: number[], unit: string) => `${x.map((v) => Number(v.toPrecision(4))).join(", ")} ${unit}`;

/** What is told of it: a heading and lines. */
export function told(film: Film, picked: Picked, at: Moment, frame: number): [string, Row[]] {
  if (picked.kind === "contact") {
    const { values, names, features, contact, feature } = film.contacts;
    const i = CONTACT.size * picked.index;
    const friction = amount(values, i + CONTACT.friction);
    const rows: Row[] = [
      ["point", features[feature[picked.index]]],
      ["normal force", quantity(values[i + CONTACT.force], "N")],
      ["indentation", quantity(values[i + CONTACT.delta], "m")],
    ];
    if (friction > 0) rows.splice(2, 0, ["friction", quantity(friction, "N")]);
    return [names[contact[picked.index]], rows];
  }
  if (picked.kind === "joint") {
    const joint = film.joints[picked.index];
    const rows: Row[] = [["joint", joint.kind]];
    if (joint.force.length > 3 * frame + 2) {
      rows.push(["force", quantity(amount(joint.force, 3 * frame), "N")]);
      rows.push(["couple", quantity(amount(joint.couple, 3 * frame), "N m")]);
    }
    return [joint.name, rows];
  }
  const body = film.bodies[picked.body];
  const heading = picked.part ? `${body.name} / ${picked.part}` : body.name;
  if (body.fixed) return [heading, [["fixed at", vector(body.fixed[0], "m")]]];
  const three = (x: Float32Array) => [0, 1, 2].map((k) => lerp(x, 3, k, at));
  const rows: Row[] = [
    ["position", vector(three(body.position), "m")],
    ["speed", quantity(amount(three(body.velocity), 0), "m/s")],
  ];
  if (body.spin) rows.push(["turning", quantity(amount(three(body.spin), 0), "rad/s")]);
  if (body.deformation) {
    const F = Array.from({ length: 9 }, (_, k) => lerp(body.deformation as Float32Array, 9, k, at));
    const det = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
    rows.push(["volume", `${det.toFixed(4)} of that at rest`]);
  }
  return [heading, rows];
}

export class Tip {
  constructor(private readonly card: HTMLElement) {}

  hide(): void {
    this.card.hidden = true;
  }

  show([heading, rows]: [string, Row[]], x: number, y: number): void {
    const table = element("table");
    for (const [name, value] of rows) {
      const row = element("tr");
      row.append(element("td", "", name), element("td", "", value));
      table.append(row);
    }
    this.card.replaceChildren(element("b", "", heading), table);
    this.card.hidden = false;
    const room = this.card.parentElement as HTMLElement;
    const left = Math.min(x + 16, room.clientWidth - this.card.offsetWidth - 8);
    const top = y + 18 + this.card.offsetHeight > room.clientHeight ? y - this.card.offsetHeight - 12 : y + 18;
    this.card.style.left = `${Math.max(left, 4)}px`;
    this.card.style.top = `${Math.max(top, 4)}px`;
  }
}
