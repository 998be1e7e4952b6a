import { describe, expect, test } from "vitest";
import { decode } from "./decode";
import type { Body } from "./film";
import { find, lerp, pose, traction } from "./sample";

const body = (more: Partial<Body>): Body => ({
  name: "a",
  colour: 0,
  free: true,
  parts: [],
  fixed: null,
  position: new Float32Array([0, 0, 0, 2, 4, 6]),
  velocity: new Float32Array(6),
  quaternion: null,
  spin: null,
  deformation: null,
  deformationRate: null,
  ...more,
});

describe("times", () => {
  const t = new Float64Array([0, 1, 3, 3.5]);
  const at = (time: number) => ({ ...find(t, time, { frame: -1, share: -1 }) });
  test("are found between frames, and held at the ends", () => {
    expect(at(-1)).toEqual({ frame: 0, share: 0 });
    expect(at(0)).toEqual({ frame: 0, share: 0 });
    expect(at(1)).toEqual({ frame: 1, share: 0 });
    expect(at(2.5)).toEqual({ frame: 1, share: 0.75 });
    expect(at(9)).toEqual({ frame: 3, share: 0 });
    expect(at(NaN)).toEqual({ frame: 0, share: 0 });
  });
  test("of nothing, and of one frame, are the first", () => {
    expect(find(new Float64Array(0), 1, { frame: 5, share: 5 })).toEqual({ frame: 0, share: 0 });
    expect(find(new Float64Array([2]), 9, { frame: 5, share: 5 })).toEqual({ frame: 0, share: 0 });
  });
});

describe("poses", () => {
  const out = new Float64Array(16) as unknown as number[];
  test("places go evenly", () => {
    pose(body({}), { frame: 0, share: 0.25 }, out);
    expect([out[12], out[13], out[14]]).toEqual([0.5, 1, 1.5]);
  });
  test("turns go at an even rate, the short way round", () => {
    const h = Math.SQRT1_2;
    // a quarter turn about z, once as q and once as −q: a third of it is 30 degrees
    for (const sign of [1, -1]) {
      const quaternion = new Float32Array([1, 0, 0, 0, sign * h, 0, 0, sign * h]);
      pose(body({ quaternion }), { frame: 0, share: 1 / 3 }, out);
      expect(out[0]).toBeCloseTo(Math.cos(Math.PI / 6), 6);
      expect(out[1]).toBeCloseTo(0.5, 6);
      expect(out[10]).toBeCloseTo(1, 6);
    }
  });
  test("F is written column by column", () => {
    const F = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    pose(body({ deformation: new Float32Array([...F, ...F.map((x) => 3 * x)]) }), { frame: 0, share: 0.5 }, out);
    expect([out[0], out[1], out[2]]).toEqual([2, 8, 14]);
    expect([out[8], out[9], out[10]]).toEqual([6, 12, 18]);
  });
  test("a body whose states are missing is at the origin", () => {
    pose(body({ position: new Float32Array(0) }), { frame: 0, share: 0 }, out);
    expect([out[0], out[12]]).toEqual([1, 0]);
  });
  test("numbers between frames", () => {
    expect(lerp([1, 10, 3, 30], 2, 1, { frame: 0, share: 0.5 })).toBe(20);
    expect(lerp([1, 10, 3, 30], 2, 1, { frame: 1, share: 0 })).toBe(30);
  });
});

test("tractions go evenly in the logarithm of the height", () => {
  const table = new Float64Array([0.1, 100, 1, 10, 10, 1]);
  expect(traction(table, 0.01)).toBe(100);
  expect(traction(table, Math.sqrt(0.1))).toBeCloseTo(55, 9);
  expect(traction(table, 99)).toBe(1);
  expect(traction(new Float64Array(0), 1)).toBe(0);
});

describe("pages", () => {
  const numbers = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  test("numbers come back as they were put in", () => {
    const data = new Uint8Array(24);
    new Float64Array(data.buffer, 0, 2).set([0.25, Math.PI]);
    new Float32Array(data.buffer, 16, 2).set([1.5, -2]);
    const film = decode(
      JSON.stringify({
        title: "</script>",
        notices: [],
        t: [0, 2],
        meshes: [],
        bodies: [{ name: "<b>", colour: null, free: true, parts: [], position: [16, 2] }],
        probes: [],
        joints: [],
        lines: [],
        actions: [],
        fields: [],
        contacts: { names: [], features: [], starts: [0, 0], contact: [0, 0], feature: [0, 0], values: [0, 0] },
        events: [],
        series: [{ name: "e", group: "energy", unit: "J", values: [0, 2] }],
        bounds: null,
        start: null,
        gravity: [0, 0, 0],
      }),
      numbers(data),
    );
    expect([...film.t]).toEqual([0.25, Math.PI]);
    expect([...film.bodies[0].position]).toEqual([1.5, -2]);
    expect(film.bodies[0].quaternion).toBeNull();
    expect(film.series[0].values[1]).toBe(Math.PI);
  });
  test("a page without a film says so", () => {
    expect(decode("null", "").notices).toHaveLength(1);
  });
});
