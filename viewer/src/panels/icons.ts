/** Signs on buttons, drawn: fonts do not have them everywhere. */

const SVG = "http://www.w3.org/2000/svg";

/** Paths in a square of 24; those that begin with `!` are filled. */
const SIGNS = {
  play: ["!M7 4.5v15l13-7.5z"],
  pause: ["!M7 5h3.5v14H7z", "!M14 5h3.5v14H14z"],
  start: ["M6 5v14", "!M19 5v14l-10-7z"],
  back: ["!M8 5h2.5v14H8z", "!M19 6v12l-7-6z"],
  on: ["!M13.5 5H16v14h-2.5z", "!M5 6v12l7-6z"],
  frame: ["M4 9V4h5", "M15 4h5v5", "M20 15v5h-5", "M9 20H4v-5"],
  theme: ["M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18", "!M12 3a9 9 0 0 1 0 18z"],
  picture: ["M4 8h3.5l1.5-2.5h6L16.500 8H20v11H4z", "M12 10a3.200 3.200 0 1 0 0 6.400a3.200 3.200 0 1 0 0-6.400"],
  help: ["M8.500 9a3.500 3.500 0 1 1 5 3.200c-1.200.6-1.500 1.200-1.500 2.300", "M12 18.300v.1"],
} as const;

export type Sign = keyof typeof SIGNS;

export function icon(sign: Sign): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const path of SIGNS[sign]) {
    const element = document.createElementNS(SVG, "path");
    element.setAttribute("d", path.replace("!", ""));
    if (path.startsWith("!")) element.setAttribute("class", "fill");
    svg.append(element);
  }
  return svg;
}
