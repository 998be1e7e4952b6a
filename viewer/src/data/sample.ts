/** What a film shows between its frames. Nothing here makes objects: it is called for every body of every picture. */

import type { Body, Film } from "./film";

/** A time among the frames: the frame before it, and how far it is to the next, from 0 to 1. */
export interface Moment {
  frame: number;
  share: number;
}

/** Finds a time; before the first frame and past the last it is there. */
export function find(t: Float64Array, time: number, out: Moment): Moment {
  const last = t.length - 1;
  out.share = 0;
  if (last <= 0 || !(time > t[0])) {
    out.frame = 0;
    return out;
  }
  if (time >= t[last]) {
    out.frame = last;
    return out;
  }
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  out.frame = low;
  out.share = (time - t[low]) / (t[high] - t[low]);
  return out;
}

/** The frame nearest to a moment. */
export function nearest(film: Film, at: Moment): number {
  return at.share > 0.5 ? Math.min(at.frame + 1, film.t.length - 1) : at.frame;
}

/**
 * Writes where a body is as a matrix, column by column as three.js has it: rotation, or F, and position. Places and F go evenly from frame to
 * frame, rotations by the shortest turn at an even rate.
 */
export function pose(body: Body, at: Moment, out: Float32Array | number[]): void {
  if (body.fixed) {
    const [p, q] = body.fixed;
    turn(q[0], q[1], q[2], q[3], out);
    place(p[0], p[1], p[2], out);
    return;
  }
  const { frame, share: s } = at;
  const x = body.position;
  const i = 3 * frame;
  const k = s > 0 ? i + 3 : i;
  if (k + 2 >= x.length) {
    turn(1, 0, 0, 0, out);
    place(0, 0, 0, out);
    return;
  }
  place(x[i] + s * (x[k] - x[i]), x[i + 1] + s * (x[k + 1] - x[i + 1]), x[i + 2] + s * (x[k + 2] - x[i + 2]), out);
  const f = body.deformation;
  if (f) {
    const a = 9 * frame;
    const b = s > 0 ? a + 9 : a;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const n = 3 * row + column;
        out[4 * column + row] = f[a + n] + s * (f[b + n] - f[a + n]);
      }
    }
    return;
  }
  const q = body.quaternion;
  if (!q) {
    turn(1, 0, 0, 0, out);
    return;
  }
  const a = 4 * frame;
  const b = s > 0 ? a + 4 : a;
  const dot = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
  const cosine = Math.min(Math.abs(dot), 1);
  let u = 1 - s;
  let v = s;
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    u = Math.sin(u * angle) / sine;
    v = Math.sin(v * angle) / sine;
  }
  if (dot < 0) v = -v;
  turn(
    u * q[a] + v * q[b],
    u * q[a + 1] + v * q[b + 1],
    u * q[a + 2] + v * q[b + 2],
    u * q[a + 3] + v * q[b + 3],
    out,
  );
}

function place(x: number, y: number, z: number, out: Float32Array | number[]): void {
  out[12] = x;
  out[13] = y;
  out[14] = z;
  out[15] = 1;
}

/** The rotation of a quaternion of any length but zero. */
function turn(w: number, x: number, y: number, z: number, out: Float32Array | number[]): void {
  const s = 2 / (w * w + x * x + y * y + z * z);
  out[0] = 1 - s * (y * y + z * z);
  out[1] = s * (x * y + w * z);
  out[2] = s * (x * z - w * y);
  out[3] = 0;
  out[4] = s * (x * y - w * z);
  out[5] = 1 - s * (x * x + z * z);
  out[6] = s * (y * z + w * x);
  out[7] = 0;
  out[8] = s * (x * z + w * y);
  out[9] = s * (y * z - w * x);
  out[10] = 1 - s * (x * x + y * y);
  out[11] = 0;
}

/** A body's number at a moment, from an array with `size` of them a frame. */
export function lerp(values: ArrayLike<number>, size: number, component: number, at: Moment): number {
  const i = size * at.frame + component;
  const a = values[i];
  if (at.share === 0) return a;
  const b = values[i + size];
  return a + at.share * (b - a);
}

/** The traction of a field at a height: even in log d, as the film tells it; beyond, the nearest. */
export function traction(table: Float64Array, d: number): number {
  const n = table.length / 2;
  if (n === 0) return 0;
  if (!(d > table[0])) return table[1];
  if (d >= table[2 * n - 2]) return table[2 * n - 1];
  let low = 0;
  let high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (table[2 * middle] <= d) low = middle;
    else high = middle;
  }
  const share = Math.log(d / table[2 * low]) / Math.log(table[2 * high] / table[2 * low]);
  return table[2 * low + 1] + share * (table[2 * high + 1] - table[2 * low + 1]);
}
