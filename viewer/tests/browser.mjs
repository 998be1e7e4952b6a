// A page in a real browser, and everything that it must not do.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const KNOWN = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const executable = process.env.CHROMIUM ?? KNOWN.find(existsSync);

export function launch() {
  // a fresh profile of its own, gone at the end
  return chromium.launch({ executablePath: executable, args: FLAGS });
}

/** What software drivers say of themselves is not the page's. */
const DRIVER = /GL Driver Message|GPU stall|Automatic fallback to software WebGL/;

/** Opens a page and waits for its first pictures; `wrong`: what it should not have said or asked for. */
export async function open(browser, file, { width = 760, height = 460, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !DRIVER.test(m.text())) wrong.push(`${m.type()}: ${m.text()}`);
  });
  page.on("pageerror", (e) => wrong.push(`error: ${e.message}`));
  const own = pathToFileURL(file).href;
  page.on("request", (r) => {
    if (r.url() !== own && !/^(data|blob):/.test(r.url())) wrong.push(`request: ${r.url()}`);
  });
  await page.goto(own);
  await page.waitForFunction(() => window.carom?.timing.pictures >= 1, null, { timeout: 60_000 });
  return { page, wrong, close: () => context.close() };
}

/** Goes to a time by the slider, as a hand would, and waits for the picture. */
export async function slide(page, share) {
  await page.locator("#bar input[type=range]").evaluate((slider, share) => {
    slider.value = String(share * Number(slider.max));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, share);
  await page.waitForFunction(() => window.carom.world.time === window.carom.player.time);
}

/** The picture as it is: how many colours are in it, and a number that stands for it. */
export function look(page) {
  return page.evaluate(() => {
    const { world } = window.carom;
    world.draw();
    const copy = document.createElement("canvas");
    copy.width = 200;
    copy.height = 120;
    const g = copy.getContext("2d");
    g.drawImage(world.canvas, 0, 0, 200, 120);
    const { data } = g.getImageData(0, 0, 200, 120);
    const colours = new Set();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      sum = (31 * sum + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) % 2147483647;
    }
    return { colours: colours.size, sum };
  });
}

/** Where a body is drawn. */
export function bodyAt(page, name) {
  return page.evaluate((name) => {
    const { film, world } = window.carom;
    const i = film.bodies.findIndex((b) => b.name === name);
    return [...world.bodies.matrices.slice(16 * i + 12, 16 * i + 15)];
  }, name);
}
