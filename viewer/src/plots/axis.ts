/** Round numbers along an axis. */

/** Between `low` and `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  const step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step + 0); // no minus before a zero
  return out;
}

/** The texts of ticks: all with as many digits as they need to differ. */
export function labels(all: number[]): string[] {
  const size = Math.max(...all.map(Math.abs), 0);
  const step = all.length > 1 ? Math.abs(all[1] - all[0]) : size;
  if (size === 0 || step === 0) return all.map(String);
  if (size >= 1e5 || size < 1e-3) {
    const power = Math.floor(Math.log10(size * (1 + 1e-12)));
    const places = Math.max(0, power - Math.floor(Math.log10(step * (1 + 1e-9))));
    return all.map((x) => (x === 0 ? "0" : `${(x / 10 ** power).toFixed(places)}e${power}`));
  }
  const places = Math.max(0, -Math.floor(Math.log10(step * (1 + 1e-9))));
  return all.map((x) => (Math.abs(x) < 1e-9 * step ? 0 : x).toFixed(places));
}

/** The least and the greatest of values between two frames; not numbers are left out. */
export function range(values: ArrayLike<number>, from: number, to: number): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i <= to; i++) {
    const x = values[i];
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return low <= high && Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null;
}
