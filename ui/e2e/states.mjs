// States that no made-up recording has, made from their JSON: a claim that is withdrawn, bands that leave the axis, an open loop,
// holes, recordings over time. And what a reader does with the page: saves, follows links, scrolls.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { neverScrollsSideways, open, phone, scrollThrough, variant } from "./browser.mjs";
import { fitsTheWindow, PAPER, passesAxe, printsWithoutOverlaps, saysTheAnswer } from "./first.mjs";

const both = (text) => ({ en: text, zh: `中文 ${text}` });

function withdrawn(view) {
  view.trust = {
    level: "red",
    withdrawn: true,
    summary: { en: "Not valid: the generator stood still.", zh: "无效：发压端停顿。" },
    reasons: [
      {
        id: "stopped",
        level: "red",
        text: {
          en: "the generator stood still for 5.0 s. Run it again.",
          zh: "发压端停顿 5.0 秒。请重新运行。",
        },
        cells: 1,
      },
    ],
  };
}

/** Eight repeats, and an interval far beyond the axis at the first number of clients. */
function wide(view) {
  for (const cell of view.cells) {
    for (const estimate of [cell.throughput_per_s, cell.response_p95_ms, cell.response_p99_ms]) {
      if (!estimate) continue;
      estimate.n = 8;
      if (cell.threads === view.cells[0].threads) estimate.high = estimate.mean * 50;
    }
  }
}

/** One cell of an open loop that falls behind; one interval is six seconds long, one has no value. */
function openLoop(view) {
  const cell = view.cells.find((c) => c.throughput_per_s !== null);
  view.cells = [cell];
  view.comparisons = [];
  view.runs[0].rate_per_s = 900;
  cell.trials = cell.trials.slice(0, 1);
  cell.trials[0].series = {
    end_s: [1, 2, 8, 9, 10],
    throughput_per_s: [900, 880, 100, 1500, 900],
    response_p95_ms: [5, 6, null, 900, 5],
    errors_per_s: [0, 0, 0, 0, 0],
    offered_per_s: [900, 900, 900, 900, 900],
    backlog: [0, 20, 4820, 4220, 0],
    warmup_intervals: 0,
  };
  cell.trials[0].stood_still = [{ from_s: 2.5, length_s: 5 }];
  delete cell.over_time;
}

/** Two targets with one number of clients: one kept its promise through power failures, the other broke it. */
function crashed(view) {
  view.cells = view.cells.filter((cell) => cell.threads === view.cells[0].threads);
  view.comparisons = [];
  view.cells.forEach((cell, i) => {
    const lost_ms = i === 0 ? 0 : 120.5;
    cell.crash = {
      kind: "power",
      class: "durable",
      crashes: 20,
      lost_in: i === 0 ? 0 : 3,
      not_recovered: 0,
      damaged: 0,
      acknowledged: 20_000,
      lost_most: i === 0 ? 0 : 80,
      lost_ms_median: 0,
      lost_ms_worst: lost_ms,
      torn: [],
      bound: i === 0 ? 0.139 : null,
      recovery_s: 2.5,
      standing: i === 0 ? "kept" : "broken",
      says: both(`${i} lost ${lost_ms} ms`),
    };
  });
}

function history(series, recordings) {
  return (view) => ({
    kind: "history",
    schema_version: 1,
    mydyno_version: view.mydyno_version,
    lang: "en",
    title: "oltp: a",
    answer: { en: "No change; 5 recordings", zh: "没有变化；5 次记录" },
    recordings,
    series,
    false_alarms: 0.05,
    recordings_min: 8,
    margin: 0.02,
  });
}

const recorded = (at) =>
  at.map((started_at, i) => ({
    id: `run-${i}`,
    name: "",
    started_at,
    status: "complete",
    left_out: null,
    changes: [],
  }));
const evening = recorded([1, 2, 3, 5, 9].map((minute) => `2026-11-22T20:0${minute}:00.000Z`));
const oneSeries = (threads) => ({
  label: both("transactions/s"),
  target: "a",
  workload: "oltp",
  threads,
  metric: "throughput",
  left_out: [],
  shifts: [],
  changed: [],
  too_short: null,
  latest: null,
  untold: null,
  points: evening.map((_, recording) => ({
    recording,
    mean: 100 + recording,
    low: 95,
    high: 110,
    n: 3,
  })),
});

/** Tests by name; `of` is the path of the report of a laboratory. */
export function states(of) {
  const on = (path, options, look) => async (browser) => {
    const { context, page, complaints } = await open(browser, await path(), options);
    await look(page, browser);
    assert.deepEqual(complaints, []);
    await context.close();
  };
  const made_of = (name, as, change) => async () => variant(await of(name), as, change);
  return Object.entries({
    "a withdrawn claim: the reason is the headline": on(
      made_of("two_targets", "withdrawn", withdrawn),
      {},
      async (page) => {
        await saysTheAnswer(page);
        assert.equal(
          await page.textContent("h1"),
          "Not valid: the generator stood still for 5.0 s",
        );
        assert.match(await page.title(), /^Not valid: the generator stood still/);
        await page.click("#language");
        await saysTheAnswer(page);
      },
    ),
    "a failed recording: the reason and what to do, no empty charts": on(
      made_of(
        "nothing_completed",
        "failed",
        (view) =>
          void (view.runs[0].failure = {
            code: "connect",
            message: "cannot connect to 10.0.0.1:3306: Connection refused; is the server running?",
            hint: null,
            server_error: null,
          }),
      ),
      {},
      async (page) => {
        await saysTheAnswer(page);
        assert.equal(
          await page.textContent("h1"),
          "No result: cannot connect to 10.0.0.1:3306: Connection refused",
        );
        assert.equal(await page.textContent(".todo"), "What to do: is the server running?");
        assert.equal(await page.locator(".chart").count(), 0);
        assert.equal(await page.locator("#results, #curves, #costs").count(), 0);
      },
    ),
    "three repeats are dots, eight a band that is cut with a mark": async (browser) => {
      await on(
        () => of("two_targets"),
        {},
        async (page) => {
          const dots = await page.evaluate(
            () =>
              window.mydyno
                .option("throughput_per_s-0")
                .series.filter((s) => /^repeats-/.test(s.name))
                .flatMap((s) => s.data).length,
          );
          const trials = await page.evaluate(
            () =>
              window.mydyno.view.cells
                .flatMap((c) => c.trials)
                .filter((t) => t.outcome === "completed").length,
          );
          assert.equal(dots, trials);
        },
      )(browser);
      await on(made_of("two_targets", "wide", wide), {}, async (page) => {
        const seen = await page.evaluate(() => {
          const option = window.mydyno.option("throughput_per_s-0");
          const means = window.mydyno.view.cells.flatMap((c) => c.throughput_per_s?.mean ?? []);
          return {
            bands: option.series.filter((s) => /^band-/.test(s.name)).length,
            cut: option.series.filter((s) => /^cut-/.test(s.name)).flatMap((s) => s.data).length,
            max: option.yAxis[0].max,
            greatest: Math.max(...means),
          };
        });
        assert.deepEqual([seen.bands, seen.cut], [2, 2]);
        assert.ok(
          seen.max < seen.greatest * 1.6,
          `the axis ends at ${seen.max} for points up to ${seen.greatest}`,
        );
      })(browser);
    },
    "an open loop: offered rate, backlog and start delay are drawn, in steps, holes as holes": on(
      made_of("one_target", "open_loop", openLoop),
      {},
      async (page) => {
        await fitsTheWindow(page);
        await scrollThrough(page);
        const seen = await page.evaluate(() => {
          const { option } = window.mydyno;
          const line = (chart, name) =>
            option(chart).series.find(
              (s) => s.type === "line" && (name === undefined || s.name === name),
            ).data;
          const shades = option("answer-time").series[0].markArea.data.map(([from, to]) => [
            from.name,
            from.xAxis,
            to.xAxis,
          ]);
          return {
            shades,
            offered: line("answer-time", "offered per s"),
            completed: line("answer-time"),
            p95: line("answer-time-response_p95_ms"),
            backlog: line("answer-time-backlog"),
            delay: line("answer-time-start_delay_ms"),
          };
        });
        assert.deepEqual(seen.shades, [["generator suspended", 2.5, 7.5]]);
        assert.deepEqual(seen.offered[0], [0, 900]);
        assert.deepEqual(seen.completed.slice(4, 6), [
          [2, 100],
          [8, 100],
        ]);
        assert.deepEqual(seen.p95[4], [2, "-"]);
        assert.equal(Math.max(...seen.backlog.map(([, y]) => Number(y) || 0)), 4820);
        assert.equal(Math.max(...seen.delay.map(([, y]) => Number(y) || 0)), 48200);
      },
    ),
    "unequal durability is said above the charts, wherever it stands among the differences, and nothing else is":
      async (browser) => {
        const said = (id, en) => ({ id, en, zh: `中文 ${en}` });
        const [log, durability] = [
          said("binary_log", "The binary log differs."),
          said("durability", "Durability differs: a loses commits."),
        ];
        for (const [differences, wanted] of [
          [[log, durability], [durability]],
          [[said("same_durability", "Durability is the same."), log], []],
        ]) {
          await on(
            made_of(
              "two_targets",
              `durability-${wanted.length}`,
              (view) => void (view.differences = differences),
            ),
            {},
            async (page) => {
              const shown = () => page.locator("#answer .unequal").allTextContents();
              assert.deepEqual(
                await shown(),
                wanted.map(({ en }) => en),
              );
              await page.click("#language");
              assert.deepEqual(
                await shown(),
                wanted.map(({ zh }) => zh),
              );
            },
          )(browser);
        }
      },
    "an imported recording shows tpmC and the latencies by type as the tool reported them": on(
      () => of("imported"),
      {},
      async (page) => {
        await scrollThrough(page);
        const seen = () =>
          page.evaluate(() => {
            const { view } = window.mydyno;
            const tables = [...document.querySelectorAll("#results table")];
            const caption = (table) =>
              table.querySelector("caption .caption, caption .read-aloud").textContent;
            const reported = tables.find((table) =>
              /^(Reported by the tool|由原工具报告)$/.test(caption(table)),
            );
            return {
              tpmc: [...tables[0].querySelectorAll("thead tr:last-child th")]
                .map((th) => th.textContent)
                .filter((text) => /^tpmC.*(reported|报告)/.test(text)),
              shown: [...tables[0].querySelectorAll("tbody a")]
                .map((a) => Number(a.textContent.replaceAll(",", "")))
                .sort((a, b) => a - b),
              wanted: view.cells.map((cell) => Math.round(cell.tpmc.mean)).sort((a, b) => a - b),
              heads: [...reported.querySelectorAll("thead th")].map((th) => th.textContent),
              rows: [...reported.querySelectorAll("tbody tr")].map((tr) =>
                [...tr.children].map((cell) => cell.textContent),
              ),
              first: view.cells[0].trials[0].stated,
            };
          });
        const en = await seen();
        assert.deepEqual(en.tpmc, ["tpmC, reported by the tool", "tpmC, reported by the tool"]);
        assert.deepEqual(en.shown, en.wanted);
        assert.deepEqual(en.heads, [
          "type",
          "target",
          "clients",
          "repeat",
          "count",
          "errors",
          "per minute",
          "avg, ms",
          "p50, ms",
          "p90, ms",
          "p95, ms",
          "p99, ms",
          "p99.9, ms",
          "max, ms",
        ]);
        const figure = (text) => Number(text.replaceAll(",", ""));
        en.first.forEach((stated, i) => {
          assert.equal(
            en.rows[i][0],
            stated.name === "transaction" ? "all transactions" : stated.name,
          );
          assert.equal(figure(en.rows[i][4]), stated.transactions);
          assert.equal(
            stated.response.p95_ms === null ? "–" : figure(en.rows[i][10]),
            stated.response.p95_ms ?? "–",
          );
        });
        await page.click("#language");
        const zh = await seen();
        assert.deepEqual(zh.tpmc, ["tpmC（由原工具报告）", "tpmC（由原工具报告）"]);
        assert.deepEqual(zh.heads.slice(0, 3), ["类型", "目标", "客户端数"]);
        assert.equal(zh.rows[0][0], "全部事务");
      },
    ),
    "TPC-C begins with tpmC": on(
      () => of("tpcc"),
      {},
      async (page) => {
        assert.match(
          await page.locator("#answer .chart").first().getAttribute("data-chart"),
          /tpmc/,
        );
      },
    ),
    "a chart is saved as SVG and as PNG": on(
      () => of("two_targets"),
      { colorScheme: "dark" },
      async (page) => {
        const saved = async (kind) => {
          const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.locator("#answer .save button", { hasText: kind }).first().click(),
          ]);
          assert.match(
            download.suggestedFilename(),
            new RegExp(`^oltp.*throughput\\.${kind.toLowerCase()}$`),
          );
          return readFileSync(await download.path());
        };
        const svg = (await saved("SVG")).toString();
        assert.match(svg, /^<svg [^>]*xmlns=/);
        assert.ok(!/var\(|light-dark/.test(svg), "colours without a value");
        assert.ok(svg.includes("mariadb"), "no label");
        assert.deepEqual([...(await saved("PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
      },
    ),
    "headings have links, contents stay in sight, wide tables use the window": on(
      () => of("watched"),
      { viewport: { width: 1920, height: 1080 } },
      async (page) => {
        const sections = await page.locator("main > section h2").count();
        assert.equal(await page.locator("main > section .heading.h2 > a.anchor").count(), sections);
        const broken = await page.evaluate(() =>
          [...document.querySelectorAll("a.anchor, .contents a")]
            .map((a) => a.getAttribute("href"))
            .filter((href) => !document.getElementById(decodeURIComponent(href.slice(1)))),
        );
        assert.deepEqual(broken, []);
        await scrollThrough(page);
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
        const nav = await page.locator(".contents ul").boundingBox();
        assert.ok(nav.y >= 0 && nav.y < 300 && nav.x < 300, `contents at ${nav.x}, ${nav.y}`);
        const costs = page.locator("#costs .scroll");
        const room = await costs.evaluate((e) => [e.scrollWidth, e.clientWidth]);
        assert.ok(room[1] > 1400 && room[0] <= room[1], `costs: ${room}`);
      },
    ),
    "the list of cells has spark lines, marks and figures that align": on(
      () => of("two_targets"),
      {},
      async (page) => {
        const seen = await page.evaluate(() => {
          const right = (selector) =>
            [...document.querySelector("#cells .cells").querySelectorAll(selector)].map((e) =>
              e.getBoundingClientRect().right.toFixed(0),
            );
          return {
            rates: new Set(right(".rate")).size,
            sparks: document.querySelectorAll("svg.spark").length,
            decimals: new Set(
              [...document.querySelector("#cells .cells").querySelectorAll(".p95")].map(
                (e) => (/\.(\d+)/.exec(e.textContent)?.[1] ?? "").length,
              ),
            ).size,
          };
        });
        assert.equal(seen.rates, 1);
        assert.equal(seen.decimals, 1);
        assert.ok(seen.sparks > 0);
      },
    ),
    "recommendations and the question of an experiment are Chinese on the Chinese page": async (
      browser,
    ) => {
      await on(
        () => of("watched"),
        {},
        async (page) => {
          await page.click("#language");
          for (const fold of await page.locator("#advice details").all())
            await fold.evaluate((e) => void (e.open = true));
          const seen = await page.evaluate(() => ({
            english: [...document.querySelectorAll("#advice [lang=en]")]
              .filter((e) => e.tagName !== "CODE" && !e.closest(".unseen"))
              .map((e) => e.textContent),
            why: [...document.querySelectorAll("#advice dl dd:nth-of-type(2)")].map(
              (e) => e.textContent,
            ),
            wanted: window.mydyno.view.advice.flatMap(({ items }) => {
              const low = (item) => item.advice.severity === "low";
              return [...items.filter((i) => !low(i)), ...items.filter(low)].map(
                ({ advice }) => advice.why_zh,
              );
            }),
          }));
          assert.deepEqual(seen.english, []);
          assert.ok(seen.wanted.length > 0);
          assert.deepEqual(seen.why, seen.wanted);
        },
      )(browser);
      await on(
        () => of("experiment"),
        {},
        async (page) => {
          await page.click("#language");
          const about = await page.evaluate(() => window.mydyno.view.about);
          assert.equal(await page.textContent(".question"), about.question_zh);
          assert.equal(await page.textContent("#others .prose"), about.published_zh);
        },
      )(browser);
    },
    "recordings of one evening stand in their order, and one series has one chart": on(
      made_of("two_targets", "history", history([oneSeries(4)], evening)),
      {},
      async (page) => {
        await scrollThrough(page);
        const seen = await page.evaluate(() => {
          const option = window.mydyno.option("history-answer");
          const { formatter, customValues } = option.xAxis[0].axisLabel;
          return {
            charts: window.mydyno.charts(),
            at: option.series.find((s) => s.name === "points").data.map((p) => p.value[0]),
            labels: customValues.map(formatter),
            title: document.title,
          };
        });
        assert.deepEqual(seen.charts, ["history-answer"]);
        assert.deepEqual(seen.at, [0, 1, 2, 3, 4]);
        assert.deepEqual(seen.labels, ["20:01", "20:02", "20:03", "20:05", "20:09"]);
        assert.equal(seen.title, "No change · oltp: a · 2026-11-22 · mydyno");
      },
    ),
    "a history of two series has the chart of each, one without any is not blank": async (
      browser,
    ) => {
      await on(
        made_of("two_targets", "history2", history([oneSeries(4), oneSeries(8)], evening)),
        {},
        async (page) => {
          await scrollThrough(page);
          assert.deepEqual((await page.evaluate(() => window.mydyno.charts())).sort(), [
            "history-0",
            "history-1",
            "history-answer",
          ]);
        },
      )(browser);
      const empty = made_of("two_targets", "history0", history([], evening));
      await on(empty, {}, async (page) => {
        const top = await page
          .locator("#recordings")
          .evaluate((e) => e.getBoundingClientRect().top);
        assert.ok(top < 400, `the first window is blank down to ${top}`);
      })(browser);
      for (const options of [{}, { colorScheme: "dark", viewport: phone }])
        await on(empty, options, (page) => passesAxe(page))(browser);
    },
    "what crashes lost: a point for each cell, 0 on its own line, a broken promise in words and marked":
      async (browser) => {
        const path = made_of("two_targets", "crashed", crashed);
        await on(path, {}, async (page) => {
          await fitsTheWindow(page);
          await scrollThrough(page);
          const seen = await page.evaluate(() => {
            const { series, yAxis } = window.mydyno.option("crash-0");
            const of = (name) => series.filter((s) => s.name.startsWith(name)).map((s) => s.data);
            const [ticks, label] = [yAxis[0].axisLabel.customValues, yAxis[0].axisLabel.formatter];
            return {
              zero: [ticks[0], label(ticks[0])],
              worst: of("worst-").map(([point]) => point.value[1]),
              medians: of("median-").map((points) => points.map((point) => point.value[1])),
              bad: [...document.querySelectorAll("#crash td .bad")].map((e) => e.textContent),
              broken: [...document.querySelectorAll("#crash li.trust.red")].length,
            };
          });
          const [zero, name] = seen.zero;
          assert.equal(name, "0");
          assert.deepEqual(seen.worst, [zero, Math.log10(120.5)]);
          assert.deepEqual(seen.medians, [[], [zero]]);
          assert.deepEqual(seen.bad, ["broken", "3 of 20"]);
          assert.equal(seen.broken, 1);
        })(browser);
        for (const options of [{}, { colorScheme: "dark", viewport: phone }])
          await on(path, options, (page) => passesAxe(page))(browser);
      },
    "the withdrawn, the failed and the open loop on a phone and on paper": async (browser) => {
      const paths = [
        variant(await of("two_targets"), "withdrawn", withdrawn),
        variant(await of("two_targets"), "crashed", crashed),
        variant(await of("one_target"), "open_loop", openLoop),
        variant(await of("two_targets"), "history", history([oneSeries(4)], evening)),
      ];
      for (const path of paths) {
        await on(
          () => path,
          { viewport: phone, isMobile: true, hasTouch: true },
          async (page) => {
            await scrollThrough(page);
            await neverScrollsSideways(page);
          },
        )(browser);
        await on(() => path, { viewport: PAPER }, printsWithoutOverlaps)(browser);
      }
    },
  });
}
