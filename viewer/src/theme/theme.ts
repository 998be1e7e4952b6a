/** Colours, light and dark. */

export interface Theme {
  name: "light" | "dark";
  background: string;
  horizon: string;
  ground: string;
  /** bodies that stay */
  fixed: string;
  grid: string;
  text: string;
  faint: string;
  line: string;
  accent: string;
  force: string;
  friction: string;
  couple: string;
  /** loads, motors, springs along coordinates */
  load: string;
  normal: string;
  joint: string;
  spring: string;
  slice: string;
}

export const THEMES: Record<Theme["name"], Theme> = {
  light: {
    name: "light",
    background: "#f4f6f9",
    horizon: "#dfe5ec",
    ground: "#b9c2cd",
    fixed: "#b4bdc8",
    grid: "#8793a3",
    text: "#1d2733",
    faint: "#66717f",
    line: "#d5dce4",
    accent: "#1f6feb",
    force: "#d1242f",
    friction: "#bc6c00",
    couple: "#8250df",
    load: "#0b7285",
    normal: "#0a7d43",
    joint: "#39424e",
    spring: "#5b6675",
    slice: "#1d2733",
  },
  dark: {
    name: "dark",
    background: "#12161c",
    horizon: "#1e2630",
    ground: "#5a6673",
    fixed: "#97a3b0",
    grid: "#55616f",
    text: "#e4e9ef",
    faint: "#93a0ae",
    line: "#2b3540",
    accent: "#58a6ff",
    force: "#ff6b6b",
    friction: "#ffb454",
    couple: "#c49bff",
    load: "#4dd0e1",
    normal: "#4cd28a",
    joint: "#d5dde6",
    spring: "#a7b3c0",
    slice: "#f3f6f9",
  },
};

/** The colours of bodies and curves, in turn. */
export const PALETTE = [
  "#4c86d6",
  "#ef8a2b",
  "#43a86b",
  "#d9534f",
  "#8a6fd1",
  "#22a7b8",
  "#d86fa5",
  "#b3892d",
  "#6b7f95",
  "#7fa83a",
];

export function colour(index: number): string {
  return PALETTE[index % PALETTE.length];
}

/** What the reader's system likes. */
export function preferred(): Theme["name"] {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
