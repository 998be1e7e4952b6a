// Loads, motors and bushings in a real browser; what a narrow page and a long list leave in sight.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, slide } from "./browser.mjs";
import { run } from "./pages.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("the couple of a motor is an arc about its axis, and goes away with its switch", async () => {
  const folder = run("slider-crank-one-sided.toml", null, "run/duration=0.1");
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  await slide(page, 0.3);
  const [arcs, arrows, axis, at, pin] = await page.evaluate(() => {
    const { world, film } = window.carom;
    const { couples, forces } = world.actions;
    const e = couples.object.instanceMatrix.array;
    const joint = film.joints.find((j) => j.name === "main");
    const p = world.eye.controls.target.clone().fromArray(joint.points[1]);
    p.applyMatrix4(world.joints.object.matrixWorld.clone().fromArray(world.bodies.matrices, 16 * joint.bodies[1]));
    const size = Math.hypot(e[8], e[9], e[10]);
    return [couples.object.count, forces.object.children[0].count, [e[8] / size, e[9] / size, e[10] / size], [e[12], e[13], e[14]], p.toArray()];
  });
  assert.deepEqual([arcs, arrows], [1, 0]);
  // about z, at the main bearing
  assert.ok(Math.abs(Math.abs(axis[2]) - 1) < 1e-6, `${axis}`);
  assert.ok(Math.hypot(...at.map((x, i) => x - pin[i])) < 1e-6, `${at} ${pin}`);
  await page.getByRole("button", { name: /^Forces and couples of loads/ }).click();
  assert.equal(await page.evaluate(() => window.carom.world.actions.object.visible), false);
  assert.deepEqual(wrong, []);
  await close();
});

test("bushings are symbols as large as their bodies ask for, and bars lead to them without crossing", async () => {
  const folder = run("engine-mounts.toml", null, "run/duration=0.1");
  const { page, wrong, close } = await open(browser, join(folder, "view.html"));
  const [marks, width, bars] = await page.evaluate(() => {
    const { world } = window.carom;
    const all = world.bushings.object.children;
    all[1].geometry.computeBoundingBox();
    const { min, max } = all[1].geometry.boundingBox;
    return [all.length, max.x - min.x, world.bodies.hits("engine")];
  });
  // a core and a sleeve each; the mounts are 0.86 m apart
  assert.equal(marks, 8);
  assert.ok(width > 0.01 && width < 0.1, `${width}`);
  // four bars around, one to the centre of mass, and the ball there
  assert.equal(bars, 6);
  assert.deepEqual(wrong, []);
  await close();
});

test("the clock of a narrow page is beside the speed, and a long list beside what moves", async () => {
  const folder = run("ball-bearing.toml", null, "run/duration=2e-3");
  const narrow = await open(browser, join(folder, "view.html"), { width: 390, height: 844 });
  const [clock, speed, on] = await Promise.all(
    ["#bar .time", "#bar select", "#bar button:nth-of-type(4)"].map((selector) => narrow.page.locator(selector).boundingBox()),
  );
  assert.ok(clock.x + clock.width <= speed.x && on.x + on.width <= clock.x, `${on.x + on.width} ${clock.x} ${clock.x + clock.width} ${speed.x}`);
  await narrow.close();
  const { page, wrong, close } = await open(browser, join(folder, "view.html"), { width: 1280, height: 800 });
  const [list, leftmost] = await page.evaluate(() => {
    const { world, film } = window.carom;
    const { offsetLeft, offsetWidth } = document.getElementById("bodies");
    const x = film.bodies.flatMap((body, b) => {
      if (body.fixed) return [];
      const p = world.eye.controls.target.clone().fromArray(world.bodies.matrices, 16 * b + 12).project(world.eye.camera);
      return [((p.x + 1) / 2) * document.getElementById("view").clientWidth];
    });
    return [offsetLeft + offsetWidth, Math.min(...x)];
  });
  assert.ok(leftmost > list, `a body at ${leftmost}, the list ends at ${list}`);
  assert.deepEqual(wrong, []);
  await close();
});
