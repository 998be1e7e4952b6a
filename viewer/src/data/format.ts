/** Numbers for people. */

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];
/** Units that prefixes are put before. */
const SCALED = new Set(["m", "N", "J", "W", "s", "N m", "m/s", "N/m²", "Pa"]);

/** Four digits, with a prefix where the unit has them: `3.66 mm`. */
export function quantity(x: number, unit: string): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return `0 ${unit}`;
  if (SCALED.has(unit)) {
    const size = Math.abs(x) * (1 + 1e-12);
    const prefix = PREFIXES.find(([factor]) => size >= factor);
    if (prefix && size < 1e12) return `${digits(x / prefix[0])} ${prefix[1]}${unit}`;
  }
  return `${digits(x)} ${unit}`.trimEnd();
}

/** Four digits. */
export function digits(x: number): string {
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return x.toExponential(2).replace("e+", "e");
  return String(Number(x.toPrecision(4)));
}

/** A time, always with as many digits as the run needs. */
export function time(t: number, length: number): string {
  const places = Math.min(Math.max(3 - Math.floor(Math.log10(Math.max(length, 1e-12))), 0), 9);
  return `${t.toFixed(places)} s`;
}

/** A speed of playing: `1×`, `1/50×`. */
export function rate(x: number): string {
  return x >= 1 ? `${digits(x)}×` : `1/${digits(1 / x)}×`;
}
