import { expect, test } from "vitest";
import { quantity, time } from "../data/format";
import { Player, usualSpeed } from "../player/player";
import { labels, range, ticks } from "./axis";

test("ticks are round, and their labels differ", () => {
  expect(ticks(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(labels(ticks(0, 1, 5))).toEqual(["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  expect(labels(ticks(0, 4e6, 4))).toEqual(["0", "1e6", "2e6", "3e6", "4e6"]);
  expect(ticks(3, 3, 4)).toEqual([3]);
});

test("ranges leave out what is no number", () => {
  expect(range([NaN, 2, -1, NaN], 0, 3)).toEqual([-1, 2]);
  expect(range([NaN], 0, 0)).toBeNull();
});

test("quantities have prefixes", () => {
  expect(quantity(0.00366, "m")).toBe("3.66 mm");
  expect(quantity(350.04, "N")).toBe("350 N");
  expect(quantity(1000, "J")).toBe("1 kJ");
  expect(quantity(0, "J")).toBe("0 J");
  expect(quantity(NaN, "J")).toBe("–");
  expect(quantity(3, "rad/s")).toBe("3 rad/s");
  expect(time(0.25, 1.5)).toBe("0.250 s");
});

test("the player steps from frame to frame, loops, and stays within the film", () => {
  const player = new Player(new Float64Array([0, 0.1, 0.2, 0.4]));
  player.step(1);
  expect(player.time).toBe(0.1);
  player.seek(0.15);
  player.step(-1);
  expect(player.time).toBe(0.1);
  player.seek(0.15);
  player.step(1);
  expect(player.time).toBe(0.2);
  player.step(10);
  expect(player.time).toBe(0.4);
  player.toggle();
  expect(player.time).toBe(0);
  player.speed = 1;
  player.tick(0.3);
  expect(player.time).toBeCloseTo(0.3, 12);
  player.tick(0.3);
  expect(player.time).toBe(0);
  expect(usualSpeed(10)).toBe(1);
  expect(usualSpeed(0.024)).toBe(0.002);
});
