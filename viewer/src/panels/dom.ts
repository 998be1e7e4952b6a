/** Elements of the page. Texts are put in as text, never as markup. */

import { icon, type Sign } from "./icons";

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  if (className) out.className = className;
  if (text) out.textContent = text;
  return out;
}

export function button(text: string, title: string, run: () => void): HTMLButtonElement {
  const out = element("button", "", text);
  out.type = "button";
  out.title = title;
  out.setAttribute("aria-label", title);
  out.addEventListener("click", run);
  return out;
}

/** A button with a sign instead of a word. */
export function signed(sign: Sign, title: string, run: () => void): HTMLButtonElement {
  const out = button("", title, run);
  out.append(icon(sign));
  return out;
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}
