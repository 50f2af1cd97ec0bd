// Opens reports in a headless Chromium and looks at them as a reader would.
//
//   npm run e2e                            reports of made-up recordings (needs cargo, and the page built before the crate)
//   MYDYNO_REPORT=a.html npm run e2e       this report too, whatever is in it; several are separated by colons
//
// CHROMIUM: the browser, /usr/bin/chromium without it. CARGO_TARGET_DIR is honoured. MYDYNO_LABORATORY: a directory with the reports
// of the made-up recordings, which are then not made. MYDYNO_ONLY: only tests whose name contains it.

import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  AT_ONCE,
  contrasts,
  laboratories,
  launch,
  neverScrollsSideways,
  open,
  PAGE_BYTES_MAX,
  phone,
  root,
  scratch,
  scrollThrough,
} from "./browser.mjs";
import {
  cellEqualsTheView,
  chartsEqualTheView,
  panelsEqualTheView,
  serverEqualsTheView,
  slotsEqualTheView,
} from "./equals.mjs";
import * as first from "./first.mjs";
import { states } from "./states.mjs";

const MADE = [
  "two_targets",
  "single_runs",
  "one_target",
  "nothing_completed",
  "tpcc",
  "watched",
  "experiment",
  "imported",
  "capacity",
  "colocation",
  "profiled",
];
const LARGE = "many_cells";

/**
 * The ways in which a report is looked at. Each is opened once and read by its tests in their order, from the page as it opens to what a
 * reader does with it: a test must not rely on more than that, and finds what those before it opened.
 */
const WAYS = {
  desk: {},
  wide: { viewport: { width: 1920, height: 1080 }, colorScheme: "dark" },
  phone: { viewport: phone, isMobile: true, hasTouch: true, colorScheme: "dark" },
  paper: { viewport: first.PAPER },
};

const desk = {
  async "shows validity, claim, extent and charts in the first window"(page) {
    await first.fitsTheWindow(page);
  },

  async "of an experiment reads as a laboratory report"(page) {
    const wrong = await page.evaluate(() => {
      const { view } = window.mydyno;
      const ids = [...document.querySelectorAll("main > section")]
        .map((s) => s.id)
        .filter((id) => id !== "failures");
      const found = [];
      if (!view.about)
        return ids.some((id) => ["others", "doubts", "method", "interactions"].includes(id))
          ? [`${ids}`]
          : [];
      const wanted = [
        "answer",
        "caveats",
        view.about.published && "others",
        (view.doubts ?? []).length > 0 && "doubts",
        "method",
      ].filter(Boolean);
      if (JSON.stringify(ids.slice(0, wanted.length)) !== JSON.stringify(wanted))
        found.push(`order: ${ids}`);
      const shown = [...document.querySelectorAll("#doubts li")].map((li) => li.textContent);
      if (
        JSON.stringify(shown) !== JSON.stringify((view.doubts ?? []).map((d) => d.text[view.lang]))
      )
        found.push("doubts");
      if (document.querySelectorAll("#method dt").length !== view.targets.length)
        found.push("arms");
      if (!document.querySelector("#method").textContent.includes(view.runs[0].command))
        found.push("command");
      if (
        !!document.querySelector("#interactions") !==
        (view.interactions?.points ?? []).length > 0
      )
        found.push("interactions");
      const hypotheses = (view.colocations ?? []).flatMap((one) => one.hypotheses);
      const said = document.querySelector("#colocation")?.textContent ?? "";
      if (!hypotheses.every((one) => said.includes(one.evidence[view.lang])))
        found.push("colocation");
      return found;
    });
    assert.deepEqual(wrong, []);
  },

  async "passes axe, light and wide"(page) {
    await first.passesAxe(page);
  },

  async "has a ratio chart with a point for each comparison, and one table of results"(page) {
    await scrollThrough(page);
    if (await page.evaluate(() => (window.mydyno.view.capacities ?? []).length > 0))
      return first.capacitiesEqualTheView(page);
    await first.ratiosEqualTheView(page);
    await first.resultsEqualTheView(page);
  },

  async "renders without complaint, and its charts equal its JSON"(page) {
    await first.saysTheAnswer(page);
    await scrollThrough(page);
    await chartsEqualTheView(page);
    await cellEqualsTheView(page);
    await slotsEqualTheView(page);
    await panelsEqualTheView(page);
    await serverEqualsTheView(page);
  },

  async "is accessible: headings in order, captions, named regions, a table beside every chart"(
    page,
  ) {
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
        if (!table.caption || table.caption.textContent.trim() === "")
          found.push("a table without a caption");
      }
      for (const chart of document.querySelectorAll(".chart")) {
        if (!chart.getAttribute("aria-label")) found.push("a chart without a name");
      }
      const twins = document.querySelectorAll("details.twin").length;
      if (document.querySelectorAll(".chart").length > 0 && twins === 0)
        found.push("charts without a table");
      for (const button of document.querySelectorAll("button")) {
        if (button.textContent.trim() === "") found.push("a button without a name");
      }
      return found;
    });
    assert.deepEqual(wrong, []);
  },

  async "sorts a table on click and downloads its JSON"(page) {
    const heads = page.locator("#results thead button");
    if ((await heads.count()) > 0) {
      await heads.first().click();
      await heads.first().click();
      assert.equal(
        await page.locator("#results th[aria-sort]").first().getAttribute("aria-sort"),
        "descending",
      );
    }
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    assert.match(download.suggestedFilename(), /\.json$/);
  },

  async "draws flame graphs that can be searched and zoomed"(page) {
    const field = page.locator(".flame-search input");
    if ((await field.count()) === 0) return;
    const matched = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("iframe.flame")].map(
          (one) => one.contentDocument.getElementById("matched").textContent,
        ),
      );
    await field.fill("row_search");
    assert.deepEqual(await matched(), ["Matched: 60.0%", "Matched: 30.0%", "Matched: 30.0%"]);
    await field.fill("(");
    const graph = page.frameLocator("iframe.flame >> nth=0");
    await graph.locator("#frames g", { hasText: "row_search" }).first().click();
    assert.ok(await graph.locator("#unzoom").evaluate((one) => !one.classList.contains("hide")));
    await field.fill("");
  },

  async "speaks Chinese, and English again"(page) {
    const before = await page.evaluate(() => document.documentElement.lang);
    await page.click("#language");
    const words = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      titles: [...document.querySelectorAll("h2")].map((title) => title.textContent),
    }));
    assert.notEqual(words.lang, before);
    await first.saysTheAnswer(page);
    if (words.lang !== "en")
      assert.ok(
        words.titles.every((title) => /[\u4e00-\u9fff]/.test(title)),
        words.titles.join(),
      );
    await scrollThrough(page);
    await chartsEqualTheView(page);
    await page.click("#language");
    assert.equal(await page.evaluate(() => document.documentElement.lang), before);
  },
};

const wide = {
  async "shows validity, claim, extent and charts in the first window of a wide screen"(page) {
    await first.fitsTheWindow(page);
  },

  async "prints in light colours, charts included"(page) {
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20_000, "the PDF is empty");
    await page.emulateMedia({ media: "print" });
    assert.ok((await contrasts(page)).background > 0.9, "printed dark");
    await page.emulateMedia({ media: null });
  },

  async "has a dark mode, by the system's wish or by hand, with enough contrast in both"(page) {
    assert.ok((await contrasts(page)).background < 0.1, "not dark in dark mode");
    assert.deepEqual((await contrasts(page)).faint, []);
    await page.click("#theme");
    assert.ok((await contrasts(page)).background > 0.9, "not light when light is chosen");
    assert.deepEqual((await contrasts(page)).faint, []);
  },
};

const narrow = {
  async "passes axe, dark and narrow"(page) {
    await first.passesAxe(page, first.OF_LAYOUT_AND_COLOUR);
  },

  async "is readable on a phone"(page) {
    await scrollThrough(page);
    await neverScrollsSideways(page);
    await cellEqualsTheView(page);
    await panelsEqualTheView(page);
    await serverEqualsTheView(page);
    await neverScrollsSideways(page);
  },
};

const paper = {
  async "prints on A4 without overlaps"(page) {
    await first.printsWithoutOverlaps(page);
  },
};

/** Tests of a report, by the way in which it is looked at. */
const contents = { desk, wide, phone: narrow, paper };

/** A report of 200 cells opens fast enough to be read; the time is shown, only a hang is an error. */
async function opensLarge(page, started, test) {
  await page.waitForFunction(() => window.mydyno.charts().length > 0);
  const seconds = (performance.now() - started) / 1000;
  const drawn = await page.evaluate(() => window.mydyno.charts().length);
  assert.ok(drawn < 10, `${drawn} charts were drawn at once`);
  test.diagnostic(`opened in ${seconds.toFixed(2)} s`);
}

/** Longer than any test takes. */
const TEST_MS = 120_000;
const STUCK = new Error(`no answer from the browser within ${TEST_MS / 1000} s`);

/** What a promise gives, or that it is stuck. */
function within(limit_ms, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(STUCK), limit_ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

let browser;
const browsers = [];

async function freshBrowser() {
  browser = await launch();
  browsers.push(browser);
}

/** The pages of one report: one for each way of looking at it, opened when it is first needed. */
class Reading {
  #pages = new Map();

  constructor(path) {
    this.path = path;
  }

  /** Runs a test on a page that is as the tests before left it; after one that failed, on a new page. */
  async look(way, run) {
    const started = performance.now();
    const opened = this.#pages.get(way) ?? (await open(browser, this.path, WAYS[way]));
    this.#pages.delete(way);
    await run(opened.page, started);
    assert.deepEqual(opened.complaints, []);
    this.#pages.set(way, opened);
  }

  async close() {
    for (const { context } of this.#pages.values()) await context.close();
    this.#pages.clear();
  }
}

describe("the page", { concurrency: AT_ONCE }, () => {
  const only = process.env.MYDYNO_ONLY ?? "";
  let paths;

  /** A browser that stops answering is no fault of the page: the test is given a fresh one, once. */
  const check = (name, run) => {
    if (!name.includes(only)) return;
    it(name, async (test) => {
      try {
        return void (await within(TEST_MS, run(test)));
      } catch (error) {
        if (error !== STUCK) throw error;
        await freshBrowser();
      }
      await within(TEST_MS, run(test));
    });
  };

  before(async () => {
    paths = laboratories([...MADE, LARGE]);
    await freshBrowser();
  });

  after(async () => {
    for (const one of browsers) await within(TEST_MS, one.close()).catch(() => {});
    rmSync(scratch, { recursive: true, force: true });
    // A browser that stopped answering would keep this process alive.
    setTimeout(() => process.exit(), 1000).unref();
  });

  /** Tests one after the other on the pages of one report. */
  const reading = (report, path, tests) => {
    const names = Object.values(tests).flatMap((named) => Object.keys(named));
    if (!names.some((name) => `${report}: ${name}`.includes(only))) return;
    describe(report, () => {
      let pages;
      before(async () => void (pages = new Reading(await path())));
      after(() => pages.close());
      for (const [way, named] of Object.entries(tests)) {
        for (const [name, run] of Object.entries(named))
          check(`${report}: ${name}`, (test) =>
            pages.look(way, (page, started) => run(page, started, test)),
          );
      }
    });
  };

  describe("in states that are rare", () => {
    check("is small enough", () => {
      const built = statSync(join(root, "ui/dist/index.html")).size;
      assert.ok(built < PAGE_BYTES_MAX, `the page weighs ${built} bytes`);
    });
    for (const [name, run] of states((made) => paths.get(made))) check(name, () => run(browser));
  });

  const given = (process.env.MYDYNO_REPORT ?? "").split(":").filter((path) => path !== "");
  for (const path of given) reading(basename(path, ".html"), () => resolve(path), contents);
  for (const name of MADE) reading(name, () => paths.get(name), contents);
  reading(LARGE, () => paths.get(LARGE), {
    desk: {
      "opens with few charts drawn": opensLarge,
      "charts equal its JSON": desk["renders without complaint, and its charts equal its JSON"],
    },
  });
});
