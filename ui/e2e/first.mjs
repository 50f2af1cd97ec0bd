// What a reader meets first: the head of the page, the ratios, the table; and what holds everywhere, on paper too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { scrollThrough } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Validity before the claim; a withdrawn claim only in grey; of a failed recording the reason. And the title says it too. */
export async function saysTheAnswer(page) {
  const seen = await page.evaluate(() => {
    const { view } = window.mydyno;
    const lang = document.documentElement.lang === "en" ? "en" : "zh";
    const text = (selector) => document.querySelector(selector)?.textContent ?? null;
    return {
      heading: text("h1"),
      rest: text("#answer .rest > p") ?? text("#answer p.rest") ?? "",
      withdrawn: text("#answer .withdrawn"),
      answer: view.answer[lang],
      first: [...document.querySelectorAll("#answer > *:not(.question)")].map(
        (e) => e.id || e.className || e.tagName,
      )[0],
      trust: document.querySelector("#trust").className,
      level: view.trust.level,
      isWithdrawn: view.trust.withdrawn ?? view.trust.level === "red",
      failed: view.cells.every((c) => c.throughput_per_s === null),
      measured: text(".measured"),
      date: view.runs[0]?.started_at?.slice(0, 10) ?? "",
      title: document.title,
      en: lang === "en",
    };
  });
  assert.equal(seen.first, "trust", "validity does not come first");
  if (seen.failed) {
    assert.match(seen.heading, seen.en ? /^No result: ./ : /^没有结果：./);
    assert.equal(seen.trust, "trust red");
  } else if (seen.isWithdrawn) {
    assert.match(seen.heading, seen.en ? /^Not valid: ./ : /^无效：./);
    assert.match(seen.withdrawn, seen.en ? /^Claim withdrawn: ./ : /^已撤回的结论：./);
  } else {
    assert.equal(seen.trust, `trust ${seen.level}`);
    const plain = (text) => text.replace(/[\s;；.。]/g, "").toLowerCase();
    assert.equal(plain(seen.heading + seen.rest), plain(seen.answer));
  }
  assert.ok(seen.measured.includes(seen.date), `no date in: ${seen.measured}`);
  assert.match(seen.title, / · mydyno$/);
  assert.ok(seen.title.includes(seen.date) && !seen.title.includes("["), `title: ${seen.title}`);
}

/** All of it is in the first window, and on a wide one the charts stand side by side. */
export async function fitsTheWindow(page) {
  const seen = await page.evaluate(() => {
    const box = (e) => e.getBoundingClientRect();
    const frames = [...document.querySelectorAll("#answer figure")].map(box);
    return {
      head: box(document.querySelector("#answer .measured")).bottom,
      frames: frames.map(({ left, top, bottom }) => ({ left, top, bottom })),
      next:
        [...document.querySelectorAll("main > section")].slice(1).map((e) => box(e).top)[0] ??
        Infinity,
      height: innerHeight,
      failed: window.mydyno.view.cells.every((c) => c.throughput_per_s === null),
    };
  });
  assert.ok(seen.head <= seen.height * 0.7, "the head takes most of the window");
  if (seen.failed) return assert.equal(seen.frames.length, 0, "charts of nothing");
  assert.ok(seen.frames.length > 0, "no chart");
  assert.ok(seen.frames[0].top <= seen.height - 200, "the first chart is below the fold");
  if (seen.frames.length > 1)
    assert.equal(seen.frames[0].top, seen.frames[1].top, "charts are not side by side");
  assert.ok(seen.next >= seen.height - 8, "something else is above the fold");
}

/** A point for each comparison, filled where it is decided; a line at 1. */
export async function ratiosEqualTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view, option, charts } = window.mydyno;
    const found = [];
    const most = view.about && view.workloads.length === 2 ? 2 : 1;
    // Where crashes lead, the ratios stand in the table only.
    const above = charts().some((id) => id.startsWith("crash-")) ? 0 : most;
    for (let workload = 0; workload < above; workload++) {
      const wanted = view.comparisons.filter(
        (c) => c.workload === workload && c.throughput_ratio > 0,
      );
      const id = `ratio-${workload}`;
      if (wanted.length === 0) {
        if (charts().includes(id)) found.push(`${id} without comparisons`);
        continue;
      }
      if (!charts().includes(id)) {
        found.push(`no ${id}`);
        continue;
      }
      const series = option(id).series;
      const points = series.filter((s) => /^ratio-/.test(s.name)).flatMap((s) => s.data);
      if (points.length !== wanted.length)
        found.push(`${id}: ${points.length} points for ${wanted.length} comparisons`);
      const open = points.filter((p) => p.itemStyle).length;
      const undecided = wanted.filter(
        (c) => !["better", "worse", "same"].includes(c.verdict),
      ).length;
      if (open !== undecided)
        found.push(`${id}: ${open} open points for ${undecided} that are not decided`);
      for (const { throughput_ratio } of wanted) {
        if (
          !points.some(
            (p) => Math.abs(Math.exp(p.value[1]) - throughput_ratio) <= 1e-9 * throughput_ratio,
          )
        )
          found.push(`${id}: no point at ${throughput_ratio}`);
      }
      if (series.find((s) => s.name === "even")?.markLine.data[0].yAxis !== 0)
        found.push(`${id}: no line at 1`);
    }
    return found;
  });
  assert.deepEqual(wrong, []);
}

/** A chart for each condition with a point for each rate that was tried, the bound, and where the capacity lies; a row for each rate. */
export async function capacitiesEqualTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view, option } = window.mydyno;
    const found = [];
    const [first] = view.capacities;
    first.conditions.forEach((condition, at) => {
      const { series } = option(`capacity-0-${at}`);
      const named = (start) => series.filter((s) => s.name.startsWith(start));
      const points = [...named("held-"), ...named("missed-")].flatMap((s) => s.data);
      const wanted = view.capacities.flatMap((one) => one.rates.map((rate) => rate.values[at]));
      if (points.length !== wanted.length)
        found.push(`${condition.text}: ${points.length} points for ${wanted.length} rates`);
      for (const value of wanted)
        if (!points.some((p) => Math.abs(10 ** p.value[1] - value) <= 1e-6 * value))
          found.push(`${condition.text}: no point at ${value}`);
      const bound = named("bound")[0]?.markLine.data[0].yAxis;
      if (Math.abs(10 ** bound - condition.bound) > 1e-6 * condition.bound)
        found.push(`${condition.text}: its bound stands at ${10 ** bound}`);
      const lines = named("capacity-").map((s) => s.markLine?.data[0].xAxis);
      for (const { per_s } of view.capacities)
        if (!lines.includes(per_s)) found.push(`${condition.text}: no line at ${per_s}`);
    });
    const rows = document.querySelectorAll("#capacity tbody tr").length;
    const tried = view.capacities.reduce((sum, one) => sum + one.rates.length, 0);
    if (rows !== tried) found.push(`${rows} rows for ${tried} rates`);
    if (document.querySelector("#results, #curves")) found.push("sections by number of clients");
    return found;
  });
  assert.deepEqual(wrong, []);
}

/** A row for each number of clients, a group of columns for each target. */
export async function resultsEqualTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view } = window.mydyno;
    const tables = [...document.querySelectorAll("#results .whole table")];
    if (view.cells.every((c) => c.throughput_per_s === null))
      return tables.length === 0 ? [] : ["a table of nothing"];
    const found = [];
    view.workloads.forEach((_, w) => {
      const cells = view.cells.filter((c) => c.workload === w);
      const threads = [...new Set(cells.map((c) => c.threads))].sort((a, b) => a - b);
      const shown = [...tables[w].querySelectorAll("tbody th")].map((th) =>
        Number(th.textContent.replaceAll(",", "")),
      );
      if (JSON.stringify(shown) !== JSON.stringify(threads)) found.push(`rows ${shown}`);
      const groups = [...tables[w].querySelectorAll("th.group")].map((th) => th.textContent);
      const wanted = view.targets
        .filter((_, i) => cells.some((c) => c.target === i))
        .map((target) => target.label);
      if (JSON.stringify(groups) !== JSON.stringify(wanted)) found.push(`groups ${groups}`);
      const verdicts = tables[w].querySelectorAll("tbody .decided, tbody .undecided").length;
      const compared = view.comparisons.filter((c) => c.workload === w).length;
      if (verdicts !== compared) found.push(`${verdicts} verdicts for ${compared} comparisons`);
    });
    if (/±/.test(document.querySelector("#results").textContent)) found.push("± in the table");
    return found;
  });
  assert.deepEqual(wrong, []);
}

/** The rules that a narrow window or other colours can break where a wide one passes all. */
export const OF_LAYOUT_AND_COLOUR = [
  "color-contrast",
  "css-orientation-lock",
  "link-in-text-block",
  "meta-viewport",
  "scrollable-region-focusable",
  "target-size",
];

/** No violation of these rules (all without them), with everything open; what was closed is closed again. */
export async function passesAxe(page, rules) {
  const fold = (open) =>
    page.evaluate((wanted) => {
      const folds = [...document.querySelectorAll("details")].slice(0, 20);
      window.e2e.folds ??= folds.filter((details) => !details.open);
      for (const details of window.e2e.folds) details.open = wanted;
    }, open);
  await fold(true);
  await scrollThrough(page);
  await page.evaluate(axe);
  const violations = await page.evaluate(async (rules) => {
    // The words inside a chart are judged by their fill, in `contrasts`: axe reads the colour that SVG does not draw with.
    const outsideOfCharts = { exclude: ["svg > *"] };
    // A flame graph is a document of its own, with the script and the colours of all flame graphs.
    const options = {
      resultTypes: ["violations"],
      iframes: false,
      ...(rules && { runOnly: rules }),
    };
    const { violations } = await window.axe.run(outsideOfCharts, options);
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((n) => n.target.join(" "))
          .join("; ")}`,
    );
  }, rules);
  assert.deepEqual(violations, []);
  await fold(false);
}

/** A4 without its margins, in CSS pixels. */
export const PAPER = { width: 688, height: 1000 };

/** On a page as wide as paper nothing lies over something else, charts are as wide as their place, and none of their words is cut. */
export async function printsWithoutOverlaps(page) {
  await page.emulateMedia({ media: "print" });
  const wrong = await page.evaluate(async () => {
    dispatchEvent(new Event("beforeprint"));
    await new Promise((done) => setTimeout(done, 50));
    const found = [];
    const shown = (e) => e.getClientRects().length > 0;
    const box = (e) => e.getBoundingClientRect();
    const words = (e) => `${e.tagName}${e.id ? `#${e.id}` : ""} ${e.textContent.slice(0, 30)}`;
    // Blocks of one column follow each other.
    const blocks = [
      ...document.querySelectorAll(
        "#answer > *, section > *, .frames > figure, .multiples > figure, figcaption, .chart",
      ),
    ].filter(shown);
    for (let i = 0; i < blocks.length; i++) {
      for (const other of blocks.slice(i + 1)) {
        if (blocks[i].contains(other) || other.contains(blocks[i])) continue;
        const [a, b] = [box(blocks[i]), box(other)];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 2)
          found.push(`${words(blocks[i])} overlaps ${words(other)} by ${high.toFixed(0)} px`);
      }
    }
    for (const chart of [...document.querySelectorAll(".chart")].filter(shown)) {
      const place = box(chart);
      const svg = chart.querySelector("svg");
      if (!svg) found.push(`${chart.dataset.chart} is not drawn`);
      else if (Math.abs(box(svg).width - place.width) > 2)
        found.push(`${chart.dataset.chart}: ${box(svg).width} px in ${place.width}`);
      for (const text of chart.querySelectorAll("text")) {
        const own = box(text);
        if (
          own.width > 0 &&
          (own.left < place.left - 2 ||
            own.right > place.right + 2 ||
            own.bottom > place.bottom + 2)
        )
          found.push(`${chart.dataset.chart}: “${text.textContent}” is cut`);
      }
    }
    for (const e of [...document.querySelectorAll("main *")].filter(shown)) {
      if (
        box(e).right > innerWidth + 2 &&
        ![...e.children].some((child) => box(child).right > innerWidth + 2)
      )
        found.push(
          `${words(e)} in ${e.closest("section")?.id} ends at ${box(e).right.toFixed(0)} px`,
        );
    }
    dispatchEvent(new Event("afterprint"));
    return found;
  });
  assert.deepEqual(wrong.slice(0, 8), []);
  await page.emulateMedia({ media: null });
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20_000, "the PDF is empty");
  assert.equal(
    await page.evaluate(() => document.documentElement.classList.contains("printing")),
    false,
  );
}
