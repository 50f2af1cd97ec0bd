// A headless Chromium, reports of made-up recordings, and what every test asks of a page.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");
export const scratch = mkdtempSync(join(tmpdir(), "mydyno-e2e-"));
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
export const PAGE_BYTES_MAX = 1_500_000;

let built;

/** The program that makes up recordings, with the features that the whole workspace is tested with. */
function example() {
  if (built) return built;
  const words = ["build", "--quiet", "--workspace", "--example", "laboratory"];
  execFileSync("cargo", words, { cwd: root, stdio: "inherit" });
  built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/examples/laboratory");
  return built;
}

/** How many things are done at once: reports made, pages read. */
export const AT_ONCE = availableParallelism();

/** Reports of made-up recordings, by name; with MYDYNO_LABORATORY those that stand in that directory, without cargo. */
export function laboratories(names) {
  if (process.env.MYDYNO_LABORATORY)
    return new Map(
      names.map((name) => [name, join(process.env.MYDYNO_LABORATORY, `${name}.html`)]),
    );
  const program = example();
  // Each of so many lines waits for the one before it.
  const lines = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  return new Map(
    names.map((name, i) => {
      const made = lines[i % AT_ONCE].then(() => make(program, name));
      lines[i % AT_ONCE] = made.catch(() => {});
      return [name, made];
    }),
  );
}

async function make(program, name) {
  const { stdout } = await promisify(execFile)(program, [name, "html"], {
    cwd: root,
    maxBuffer: 1 << 28,
  });
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, stdout);
  return path;
}

let variants = 0;

/** A report with its JSON changed: states that no laboratory has. */
export function variant(path, name, change) {
  const html = readFileSync(path, "utf8");
  const place = /(<script type="application\/json" id="view">)(.*?)(<\/script>)/s;
  const view = JSON.parse(place.exec(html)[2]);
  const changed = JSON.stringify(change(view) ?? view).replaceAll("<", "\\u003c");
  // Tests that run at once may make the same one.
  const to = join(scratch, `${name}-${(variants += 1)}.html`);
  writeFileSync(
    to,
    html.replace(place, (_, before, __, after) => before + changed + after),
  );
  return to;
}

/** Opens a report. What the page asks of a network, and what it complains of, is collected. */
export async function open(browser, path, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: desk, ...options });
  const page = await context.newPage();
  const complaints = [];
  await page.addInitScript(() => {
    // Whether a line in steps or points has every value at the end of its interval; slivers may be left out.
    const hasSteps = (data, ends, values) =>
      ends.every((end, i) => {
        const value = values[i] ?? null;
        if (value === null || end - (ends[i - 1] ?? 0) < 0.05) return true;
        return data.some(([x, y]) => x === end && y === value);
      });
    window.e2e = { hasSteps };
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href + hash);
  await page.waitForFunction(() => window.mydyno !== undefined);
  return { context, page, complaints };
}

/** Scrolls through the page, so that every chart is drawn. */
export async function scrollThrough(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      // What is in sight is known to the page one frame later, and drawn in the next.
      await frame();
      await frame();
    }
    scrollTo(0, 0);
  });
}

export async function neverScrollsSideways(page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
}

/** Luminance of the page, and texts with less contrast than WCAG's AA asks (4.5:1). */
export async function contrasts(page) {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const background = luminance(getComputedStyle(document.body).backgroundColor);
    const ratio = (colour) => {
      const [a, b] = [luminance(colour), background].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    const texts = [...document.querySelectorAll("main *, header *, footer *")].filter((e) =>
      [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== ""),
    );
    const colour = (e) =>
      e instanceof SVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color;
    const visible = texts.filter((e) => e.getClientRects().length > 0 && colour(e) !== "none");
    const faint = new Set(
      visible
        .filter((e) => ratio(colour(e)) < 4.5)
        .map((e) => `${e.textContent.trim().slice(0, 40)} ${colour(e)}`),
    );
    return { background, faint: [...faint] };
  });
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: flags,
  });
}
