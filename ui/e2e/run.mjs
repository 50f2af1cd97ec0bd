// Opens reports in a headless Chromium and looks at them as a reader would.
//
//   npm run e2e                       reports of made-up recordings (needs cargo, and the page built before the crate)
//   npm run e2e -- a.html b.html      these reports too, whatever is in them; or MYDYNO_REPORT=a.html
//
// CHROMIUM: the browser, /usr/bin/chromium without it. CARGO_TARGET_DIR is honoured. Ends with 1 and says what is wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const scratch = mkdtempSync(join(tmpdir(), "mydyno-e2e-"));
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
const desk = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };
const PAGE_BYTES_MAX = 1_500_000;

/** A report of a made-up recording. */
function laboratory(name) {
  const words = ["run", "--quiet", "-p", "report", "--example", "laboratory", "--", name, "html"];
  const html = execFileSync("cargo", words, { cwd: root, maxBuffer: 1 << 28 });
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, html);
  return path;
}

/** Opens a report. What the page asks of a network, and what it complains of, is collected. */
async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: desk, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => window.mydyno !== undefined);
  return { context, page, complaints };
}

/** Scrolls through the page, so that every chart is drawn. */
async function scrollThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
    }
    scrollTo(0, 0);
  });
}

/** Every point of the charts over concurrency is a figure of the JSON, and the other way round. */
async function chartsEqualTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view, option } = window.mydyno;
    const found = [];
    for (const id of window.mydyno.charts()) {
      const [metric, workload] = id.split("-");
      if (!/^(throughput_per_s|response_p9[59]_ms)-\d+$/.test(id)) continue;
      const lines = option(id).series.filter((s) => s.type === "line");
      if (lines.length !== view.targets.length) found.push(`${id}: ${lines.length} lines`);
      const cells = view.cells.filter((c) => c.workload === Number(workload));
      const points = lines.flatMap((line) => line.data);
      if (points.length !== cells.length) found.push(`${id}: ${points.length} points for ${cells.length} cells`);
      for (const point of points) {
        const cell = cells.find((c) => c.id === point.cell);
        const figure = cell?.[metric]?.mean ?? "-";
        const threads = Math.round(2 ** point.value[0]);
        if (!cell || threads !== cell.threads || point.value[1] !== figure) found.push(`${id}: ${JSON.stringify(point)}`);
      }
      const failed = cells.filter((c) => c.status === "failed").length;
      const marks = option(id).series.filter((s) => s.type === "scatter" && !s.silent).flatMap((s) => s.data);
      if (marks.length !== failed) found.push(`${id}: ${marks.length} marks for ${failed} failed cells`);
      if (option(id).yAxis[0].min !== 0) found.push(`${id}: y does not start at zero`);
    }
    return found;
  });
  assert.deepEqual(wrong, []);
}

/** The charts of a cell, once it is opened, show its seconds and its distribution. */
async function cellEqualsTheView(page) {
  const id = await page.evaluate(() => window.mydyno.view.cells.find((c) => c.distribution !== null)?.id);
  if (id === undefined) return;
  await page.evaluate((cell) => {
    location.hash = `#${encodeURIComponent(`cell-${cell}`)}`;
  }, id);
  await page.waitForFunction((cell) => window.mydyno.charts().includes(`throughput_per_s-time-${cell}`), id);
  await page.evaluate((cell) => document.querySelector(`[data-chart="distribution-${CSS.escape(cell)}"]`).scrollIntoView(), id);
  await page.waitForFunction((cell) => window.mydyno.charts().includes(`distribution-${cell}`), id);
  const wrong = await page.evaluate((cell) => {
    const { view, option } = window.mydyno;
    const one = view.cells.find((c) => c.id === cell);
    const found = [];
    const strips = option(`throughput_per_s-time-${cell}`).series.filter((s) => s.type === "line");
    const trials = one.trials.filter((t) => t.series.end_s.length > 0);
    trials.forEach((trial, i) => {
      const shown = strips[i].data.map((p) => p[1]);
      if (JSON.stringify(shown) !== JSON.stringify(trial.series.throughput_per_s)) found.push(`run ${trial.repeat}`);
    });
    strips.forEach((strip, i) => {
      const run = one.over_time?.runs.find((r) => r.repeat === trials[i].repeat);
      const marks = (strip.markLine?.data ?? []).map((mark) => mark.xAxis);
      const large = (run?.changes ?? []).filter((change) => Math.abs(change.ratio - 1) >= 0.02).map((change) => change.at_s);
      if (JSON.stringify(marks) !== JSON.stringify(large)) found.push(`change-points of run ${trials[i].repeat}`);
    });
    const curves = option(`distribution-${cell}`).series.map((s) => s.data.map((p) => p[1]));
    const wanted = [one.distribution.response_ms, one.distribution.service_ms].filter((c) => c.length > 0);
    if (JSON.stringify(curves) !== JSON.stringify(wanted)) found.push("distribution");
    if (!document.getElementById(`cell-${cell}`).open) found.push("the cell is closed");
    return found;
  }, id);
  assert.deepEqual(wrong, []);
}

/** The charts of a TPC-C cell over time show its slots, and the lines of types are told apart. */
async function slotsEqualTheView(page) {
  const id = await page.evaluate(() => window.mydyno.view.cells.find((c) => (c.timelines ?? []).length > 0)?.id);
  if (id === undefined) return;
  for (const chart of [`tpmc-time-${id}`, `types-time-${id}`]) {
    await page.evaluate((name) => document.querySelector(`[data-chart="${CSS.escape(name)}"]`)?.scrollIntoView(), chart);
    await page.waitForFunction((name) => window.mydyno.charts().includes(name), chart);
  }
  const wrong = await page.evaluate((cell) => {
    const { view, option } = window.mydyno;
    const { timelines } = view.cells.find((c) => c.id === cell);
    const found = [];
    const kinds = timelines[0].operations.slice(1);
    const same = (shown, wanted) => JSON.stringify(shown) === JSON.stringify(wanted);
    const lines = option(`types-time-${cell}`).series;
    if (lines.length !== timelines.length * kinds.length) found.push(`${lines.length} lines`);
    timelines.forEach((timeline, run) => {
      kinds.forEach((kind, k) => {
        const shown = lines[run * kinds.length + k].data.map((p) => p[1]);
        if (!same(shown, timeline.slots.map((slot) => slot.operations[k + 1].p95_ms ?? "-"))) found.push(`${kind}, run ${timeline.repeat}`);
      });
      const place = timeline.operations.indexOf("new_order");
      const tpmc = option(`tpmc-time-${cell}`).series[run].data.map((p) => p[1]);
      if (!same(tpmc, timeline.slots.map((slot) => slot.operations[place].per_s * 60))) found.push(`tpmC, run ${timeline.repeat}`);
    });
    return found;
  }, id);
  assert.deepEqual(wrong, []);
}

/** The panels of a watched cell show what was seen of it, are zoomed together, and show one run at a time. */
async function panelsEqualTheView(page) {
  const id = await page.evaluate(() => window.mydyno.view.cells.find((c) => c.trials.some((t) => t.observed))?.id);
  if (id === undefined) return;
  await page.evaluate((cell) => {
    location.hash = `#${encodeURIComponent(`cell-${cell}`)}`;
  }, id);
  const cell = page.locator(`[id="cell-${id}"]`);
  const drawn = async () => {
    const places = cell.locator(".panel .chart");
    await places.first().waitFor();
    for (let i = 0; i < (await places.count()); i++) {
      const name = await places.nth(i).getAttribute("data-chart");
      await places.nth(i).scrollIntoViewIfNeeded();
      await page.waitForFunction((chart) => window.mydyno.charts().includes(chart), name);
    }
  };
  const wrong = (run) =>
    page.evaluate(
      ([name, wanted]) => {
        const { view, option, charts } = window.mydyno;
        const watched = view.cells.find((c) => c.id === name).trials.filter((t) => t.observed)[wanted];
        const found = [];
        const names = charts().filter((chart) => chart.startsWith("panel-") && chart.endsWith(`-${name}`));
        const lines = names.flatMap((chart) => option(chart).series.filter((s) => s.type === "line").map((s) => ({ ...s, chart })));
        for (const { id: line, values } of watched.observed.series) {
          const shown = lines.filter((s) => s.id === line);
          if (shown.length !== 1) found.push(`${line} is drawn ${shown.length} times`);
          const points = watched.observed.at_s.map((at, i) => [at, values[i] ?? "-"]);
          if (JSON.stringify(shown[0]?.data) !== JSON.stringify(points)) found.push(line);
        }
        for (const chart of names) if (option(chart).yAxis[0].min !== 0) found.push(`${chart}: y does not start at zero`);
        return found;
      },
      [id, run],
    );
  await drawn();
  assert.deepEqual(await wrong(0), []);
  const choices = cell.locator(".overview .choices button");
  if ((await choices.count()) > 1) {
    await choices.nth(1).click();
    await drawn();
    assert.deepEqual(await wrong(1), []);
  }
  await zoomsTogether(page, cell, id);
}

/** Typed seconds zoom every chart over time of the cell, and the reset shows all of them again. */
async function zoomsTogether(page, cell, id) {
  const ranges = () =>
    page.evaluate((name) => {
      const charts = window.mydyno.charts().filter((chart) => chart.endsWith(`-${name}`) && /^panel-|-time-/.test(chart));
      return [...new Set(charts.flatMap((chart) => window.mydyno.option(chart).xAxis.map((axis) => `${axis.min} to ${axis.max}`)))];
    }, id);
  const before = await ranges();
  assert.equal(before.length, 1, `not one time axis: ${before}`);
  const reset = cell.locator("button.reset");
  assert.equal(await reset.isVisible(), false);
  await cell.locator(".stretch input").last().fill("1.5");
  await cell.locator(".stretch input").last().press("Enter");
  await reset.waitFor();
  assert.deepEqual(await ranges(), ["0 to 1.5"]);
  await reset.focus();
  await page.keyboard.press("Enter");
  await reset.waitFor({ state: "hidden" });
  assert.deepEqual(await ranges(), before);
  const chart = cell.locator(".panel .chart").first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await reset.waitFor();
  assert.equal((await ranges()).length, 1);
  await chart.dblclick({ position: { x: 200, y: 30 } });
  assert.deepEqual(await ranges(), before);
}

/** What took the server's time, what a transaction cost, and the doctor's advice at the end. */
async function serverEqualsTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view } = window.mydyno;
    const found = [];
    const costs = new Set(view.cells.flatMap((c) => (c.costs ?? []).map((cost) => cost.id)));
    const heads = document.querySelectorAll("#costs thead th").length - 2 - (view.workloads.length > 1 ? 1 : 0);
    if (costs.size > 0 && heads !== costs.size) found.push(`${heads} columns for ${costs.size} costs`);
    if (costs.size === 0 && document.querySelector("#costs")) found.push("a table of no costs");
    const given = (view.advice ?? []).flatMap((of) => of.items.map(({ advice }) => advice));
    const shown = [...document.querySelectorAll("#advice ol.advice > li .evidence code")].map((e) => e.textContent);
    const wanted = (view.advice ?? []).flatMap(({ items }) => {
      const low = (item) => item.advice.severity === "low";
      return [...items.filter((i) => !low(i)), ...items.filter(low)].map(({ advice }) => advice.evidence);
    });
    if (JSON.stringify(shown) !== JSON.stringify(wanted)) found.push("advice");
    const last = [...document.querySelectorAll("main > section")].at(-1)?.id;
    if (given.length > 0 && last !== "advice") found.push(`${last} comes last`);
    for (const link of document.querySelectorAll("#advice a")) if (link.rel !== "noopener") found.push(link.href);
    for (const fold of document.querySelectorAll("#advice details")) if (fold.open) found.push("low severity is open");
    return found;
  });
  assert.deepEqual(wrong, []);
  const id = await page.evaluate(() => window.mydyno.view.cells.find((c) => (c.tops?.statements ?? []).length > 5)?.id);
  if (id === undefined) return;
  await page.evaluate((cell) => {
    location.hash = `#${encodeURIComponent(`cell-${cell}`)}`;
  }, id);
  const some = page.locator(`[id="cell-${id}"] .server .some`).first();
  await some.waitFor();
  assert.equal(await some.locator("tbody tr").count(), 5);
  await some.locator("button", { hasText: /\d/ }).last().click();
  const all = await page.evaluate((cell) => window.mydyno.view.cells.find((c) => c.id === cell).tops.statements.length, id);
  assert.equal(await some.locator("tbody tr").count(), all);
}

async function neverScrollsSideways(page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
}

const contents = {
  async "renders without complaint, and its charts equal its JSON"(browser, path) {
    const { context, page, complaints } = await open(browser, path);
    const seen = await page.evaluate(() => ({
      heading: document.querySelector("h1").textContent,
      answer: window.mydyno.view.answer[window.mydyno.view.lang],
      trust: document.querySelector("#trust").className,
      level: window.mydyno.view.trust.level,
    }));
    assert.equal(seen.heading, seen.answer);
    assert.equal(seen.trust, `trust ${seen.level}`);
    await scrollThrough(page);
    await chartsEqualTheView(page);
    await cellEqualsTheView(page);
    await slotsEqualTheView(page);
    await panelsEqualTheView(page);
    await serverEqualsTheView(page);
    assert.deepEqual(complaints, []);
    await context.close();
  },

  async "shows answer, chart and trust in the first window, and nothing else"(browser, path) {
    const { context, page } = await open(browser, path);
    const places = await page.evaluate(() => ({
      trust: document.querySelector("#trust").getBoundingClientRect().bottom,
      contents: document.querySelector(".contents").getBoundingClientRect().top,
      height: innerHeight,
    }));
    assert.ok(places.trust <= places.height, "the trust line is below the fold");
    assert.ok(places.contents >= places.height - 8, "something else is above the fold");
    await context.close();
  },

  async "of an experiment reads as a laboratory report"(browser, path) {
    const { context, page } = await open(browser, path);
    const wrong = await page.evaluate(() => {
      const { view } = window.mydyno;
      const ids = [...document.querySelectorAll("main > section")].map((s) => s.id);
      const found = [];
      if (!view.about) return ids.some((id) => ["others", "doubts", "method", "interactions"].includes(id)) ? [`${ids}`] : [];
      const wanted = ["answer", view.about.published && "others", (view.doubts ?? []).length > 0 && "doubts", "method"].filter(Boolean);
      if (JSON.stringify(ids.slice(0, wanted.length)) !== JSON.stringify(wanted)) found.push(`order: ${ids}`);
      const shown = [...document.querySelectorAll("#doubts li")].map((li) => li.textContent);
      if (JSON.stringify(shown) !== JSON.stringify((view.doubts ?? []).map((d) => d.text[view.lang]))) found.push("doubts");
      if (document.querySelectorAll("#method dt").length !== view.targets.length) found.push("arms");
      if (!document.querySelector("#method").textContent.includes(view.runs[0].command)) found.push("command");
      if (!!document.querySelector("#interactions") !== (view.interactions?.points ?? []).length > 0) found.push("interactions");
      return found;
    });
    assert.deepEqual(wrong, []);
    await context.close();
  },

  async "is readable on a phone"(browser, path) {
    const { context, page, complaints } = await open(browser, path, { viewport: phone, isMobile: true, hasTouch: true });
    await scrollThrough(page);
    await neverScrollsSideways(page);
    await cellEqualsTheView(page);
    await panelsEqualTheView(page);
    await serverEqualsTheView(page);
    await neverScrollsSideways(page);
    assert.deepEqual(complaints, []);
    await context.close();
  },

  async "speaks Chinese, and English again"(browser, path) {
    const { context, page, complaints } = await open(browser, path);
    const before = await page.evaluate(() => document.documentElement.lang);
    await page.click("#language");
    const words = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      heading: document.querySelector("h1").textContent,
      zh: window.mydyno.view.answer.zh,
      en: window.mydyno.view.answer.en,
      titles: [...document.querySelectorAll("h2")].map((title) => title.textContent),
    }));
    assert.notEqual(words.lang, before);
    assert.equal(words.heading, words.lang === "en" ? words.en : words.zh);
    if (words.lang !== "en") assert.ok(words.titles.every((title) => /[\u4e00-\u9fff]/.test(title)), words.titles.join());
    await scrollThrough(page);
    await chartsEqualTheView(page);
    await page.click("#language");
    assert.equal(await page.evaluate(() => document.documentElement.lang), before);
    assert.deepEqual(complaints, []);
    await context.close();
  },

  async "has a dark mode, by the system's wish or by hand, with enough contrast in both"(browser, path) {
    const { context, page } = await open(browser, path, { colorScheme: "dark" });
    assert.ok((await contrasts(page)).background < 0.1, "not dark in dark mode");
    assert.deepEqual((await contrasts(page)).faint, []);
    await page.click("#theme");
    assert.ok((await contrasts(page)).background > 0.9, "not light when light is chosen");
    assert.deepEqual((await contrasts(page)).faint, []);
    await context.close();
  },

  async "prints in light colours, charts included"(browser, path) {
    const { context, page } = await open(browser, path, { colorScheme: "dark" });
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20_000, "the PDF is empty");
    await page.emulateMedia({ media: "print" });
    assert.ok((await contrasts(page)).background > 0.9, "printed dark");
    await context.close();
  },

  async "is accessible: headings in order, captions, named regions, a table beside every chart"(browser, path) {
    const { context, page } = await open(browser, path);
    await scrollThrough(page);
    await cellEqualsTheView(page);
    const wrong = await page.evaluate(() => {
      const found = [];
      let level = 0;
      for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
        const next = Number(heading.tagName[1]);
        if (next > level + 1) found.push(`h${next} after h${level}: ${heading.textContent}`);
        level = next;
      }
      if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
      for (const table of document.querySelectorAll("main table")) {
        if (!table.caption || table.caption.textContent.trim() === "") found.push("a table without a caption");
      }
      for (const chart of document.querySelectorAll(".chart")) {
        if (!chart.getAttribute("aria-label")) found.push("a chart without a name");
      }
      const twins = document.querySelectorAll("details.twin").length;
      if (document.querySelectorAll(".chart").length > 0 && twins === 0) found.push("charts without a table");
      for (const button of document.querySelectorAll("button")) {
        if (button.textContent.trim() === "") found.push("a button without a name");
      }
      return found;
    });
    assert.deepEqual(wrong, []);
    await context.close();
  },

  async "sorts a table on click and downloads its JSON"(browser, path) {
    const { context, page } = await open(browser, path);
    const heads = page.locator("#results thead button");
    if ((await heads.count()) > 0) {
      await heads.first().click();
      await heads.first().click();
      assert.equal(await page.locator("#results th[aria-sort]").first().getAttribute("aria-sort"), "descending");
    }
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    assert.match(download.suggestedFilename(), /\.json$/);
    await context.close();
  },
};

/** Luminance of the page, and texts with less contrast than WCAG's AA asks (4.5:1). */
async function contrasts(page) {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const background = luminance(getComputedStyle(document.body).backgroundColor);
    const ratio = (colour) => {
      const [a, b] = [luminance(colour), background].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    const texts = [...document.querySelectorAll("main *, header *, footer *")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== ""));
    const colour = (e) => (e instanceof SVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color);
    const visible = texts.filter((e) => e.getClientRects().length > 0 && colour(e) !== "none");
    const faint = new Set(visible.filter((e) => ratio(colour(e)) < 4.5).map((e) => `${e.textContent.trim().slice(0, 40)} ${colour(e)}`));
    return { background, faint: [...faint] };
  });
}

/** A report of 200 cells opens fast enough to be read; the time is shown, only a hang is an error. */
async function opensLarge(browser, path) {
  const started = performance.now();
  const { context, page, complaints } = await open(browser, path);
  await page.waitForFunction(() => window.mydyno.charts().length > 0);
  const seconds = (performance.now() - started) / 1000;
  const drawn = await page.evaluate(() => window.mydyno.charts().length);
  assert.ok(drawn < 10, `${drawn} charts were drawn at once`);
  assert.deepEqual(complaints, []);
  await context.close();
  return `${seconds.toFixed(2)} s`;
}

function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

/** Longer than any test takes. */
const TEST_MS = 60_000;
const STUCK = new Error(`no answer from the browser within ${TEST_MS / 1000} s`);

/** What a promise gives, or that it is stuck. */
function within(limit_ms, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(STUCK), limit_ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

async function main() {
  const built = statSync(join(root, "ui/dist/index.html")).size;
  assert.ok(built < PAGE_BYTES_MAX, `the page weighs ${built} bytes`);
  const named = [...process.argv.slice(2), process.env.MYDYNO_REPORT ?? ""].filter((path) => path !== "");
  const given = named.map((path) => resolve(path));
  const made = ["two_targets", "single_runs", "one_target", "nothing_completed", "tpcc", "watched", "experiment"].map(laboratory);
  const large = laboratory("many_cells");
  let browser = await launch();
  let failed = 0;
  // A browser that stops answering is no fault of the page: the test is given a fresh one, once.
  const check = async (name, run) => {
    for (const attempt of [1, 2]) {
      try {
        const said = await within(TEST_MS, run(browser));
        console.log(`ok    ${name}${said ? ` (${said})` : ""}`);
        return;
      } catch (error) {
        if (error === STUCK) browser = await launch();
        if (error === STUCK && attempt === 1) continue;
        failed += 1;
        console.log(`FAIL  ${name}\n      ${String(error.message).replaceAll("\n", "\n      ")}`);
        return;
      }
    }
  };
  try {
    for (const path of [...made, ...given]) {
      for (const [name, test] of Object.entries(contents)) await check(`${path.split("/").pop()}: ${name}`, (browser) => test(browser, path));
    }
    await check("many_cells.html: opens with few charts drawn", (browser) => opensLarge(browser, large));
    await check("many_cells.html: charts equal its JSON", (browser) => contents["renders without complaint, and its charts equal its JSON"](browser, large));
  } finally {
    await within(TEST_MS, browser.close()).catch(() => {});
    rmSync(scratch, { recursive: true, force: true });
  }
  if (failed > 0) {
    console.log(`${failed} failed`);
    process.exitCode = 1;
  }
}

await main();
// A browser that stopped answering would keep this process alive.
process.exit();
