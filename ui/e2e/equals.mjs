// What the page draws and lists, held against the JSON that it was given.

import assert from "node:assert/strict";

/** Every point of the charts over concurrency is a figure of the JSON, and the other way round. */
export async function chartsEqualTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view, option } = window.mydyno;
    const found = [];
    for (const id of window.mydyno.charts()) {
      const [metric, workload] = id.split("-");
      if (!/^(throughput_per_s|tpmc|response_p9[59]_ms)-\d+$/.test(id)) continue;
      const isLog = metric.startsWith("response");
      const lines = option(id).series.filter((s) => s.type === "line" && s.name !== "offered");
      const together = (cell) => {
        const all = cell.operations.find((o) => o.kind === "transaction")?.response;
        return metric === "response_p95_ms"
          ? (cell.totals?.response_p95_ms ?? all?.p95_ms)
          : all?.p99_ms;
      };
      const wanted = (cell) => {
        if (metric === "tpmc") return (cell.tpcc?.tpmc ?? cell.tpmc)?.mean ?? "-";
        if (!cell[metric]) return "-";
        return isLog ? (together(cell) ?? cell[metric].mean) : cell[metric].mean;
      };
      const near = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.abs(b);
      if (lines.length !== view.targets.length) found.push(`${id}: ${lines.length} lines`);
      const cells = view.cells.filter((c) => c.workload === Number(workload));
      const points = lines.flatMap((line) => line.data);
      if (points.length !== cells.length)
        found.push(`${id}: ${points.length} points for ${cells.length} cells`);
      for (const point of points) {
        const cell = cells.find((c) => c.id === point.cell);
        const threads = Math.round(2 ** point.value[0]);
        const shown = isLog && point.value[1] !== "-" ? 10 ** point.value[1] : point.value[1];
        if (!cell || threads !== cell.threads || !near(shown, wanted(cell)))
          found.push(`${id}: ${JSON.stringify(point)}`);
      }
      const failed = cells.filter((c) => c.status === "failed").length;
      const marks = option(id)
        .series.filter((s) => s.type === "scatter" && !s.silent)
        .flatMap((s) => s.data);
      if (marks.length !== failed)
        found.push(`${id}: ${marks.length} marks for ${failed} failed cells`);
      if (!isLog && option(id).yAxis[0].min !== 0) found.push(`${id}: y does not start at zero`);
      if (
        isLog &&
        !/log/.test(option(id).yAxis[0].name) &&
        view.lang === "en" &&
        document.documentElement.lang === "en"
      )
        found.push(`${id}: does not say that its axis is logarithmic`);
    }
    return found;
  });
  assert.deepEqual(wrong, []);
}

/** The charts of a cell, once it is opened, show its seconds and its distribution. */
export async function cellEqualsTheView(page) {
  const id = await page.evaluate(
    () => window.mydyno.view.cells.find((c) => c.distribution !== null)?.id,
  );
  if (id === undefined) return;
  await page.evaluate((cell) => {
    location.hash = `#${encodeURIComponent(`cell-${cell}`)}`;
  }, id);
  await page.waitForFunction(
    (cell) => window.mydyno.charts().includes(`throughput_per_s-time-${cell}`),
    id,
  );
  await page.evaluate(
    (cell) =>
      document.querySelector(`[data-chart="distribution-${CSS.escape(cell)}"]`).scrollIntoView(),
    id,
  );
  await page.waitForFunction((cell) => window.mydyno.charts().includes(`distribution-${cell}`), id);
  const wrong = await page.evaluate((cell) => {
    const { view, option } = window.mydyno;
    const one = view.cells.find((c) => c.id === cell);
    const found = [];
    const { hasSteps } = window.e2e;
    const strips = option(`throughput_per_s-time-${cell}`).series.filter(
      (s) => s.type === "line" && !s.silent,
    );
    const trials = one.trials.filter((t) => t.series.end_s.length > 0);
    trials.forEach((trial, i) => {
      if (!hasSteps(strips[i].data, trial.series.end_s, trial.series.throughput_per_s))
        found.push(`repeat ${trial.repeat}`);
    });
    strips.forEach((strip, i) => {
      const run = one.over_time?.runs.find((r) => r.repeat === trials[i].repeat);
      const marks = (strip.markLine?.data ?? []).map((mark) => mark.xAxis);
      const large = (run?.changes ?? [])
        .filter((change) => Math.abs(change.ratio - 1) >= 0.02)
        .map((change) => change.at_s);
      if (JSON.stringify(marks) !== JSON.stringify(large))
        found.push(`change-points of run ${trials[i].repeat}`);
    });
    const curves = option(`distribution-${cell}`).series.map((s) => s.data.map((p) => p[1]));
    const wanted = [one.distribution.response_ms, one.distribution.service_ms].filter(
      (c) => c.length > 0,
    );
    if (JSON.stringify(curves) !== JSON.stringify(wanted)) found.push("distribution");
    if (!document.getElementById(`cell-${cell}`).open) found.push("the cell is closed");
    return found;
  }, id);
  assert.deepEqual(wrong, []);
}

/** The charts of a TPC-C cell over time show its slots, and the lines of types are told apart. */
export async function slotsEqualTheView(page) {
  const id = await page.evaluate(
    () => window.mydyno.view.cells.find((c) => (c.timelines ?? []).length > 0)?.id,
  );
  if (id === undefined) return;
  for (const chart of [`tpmc-time-${id}`, `types-time-${id}`]) {
    await page.evaluate(
      (name) => document.querySelector(`[data-chart="${CSS.escape(name)}"]`)?.scrollIntoView(),
      chart,
    );
    await page.waitForFunction((name) => window.mydyno.charts().includes(name), chart);
  }
  const wrong = await page.evaluate((cell) => {
    const { view, option } = window.mydyno;
    const { timelines } = view.cells.find((c) => c.id === cell);
    const found = [];
    const kinds = timelines[0].operations.slice(1);
    const { hasSteps } = window.e2e;
    const lines = option(`types-time-${cell}`).series;
    if (lines.length !== timelines.length * kinds.length) found.push(`${lines.length} lines`);
    timelines.forEach((timeline, run) => {
      kinds.forEach((kind, k) => {
        const { data } = lines[run * kinds.length + k];
        if (
          !hasSteps(
            data,
            timeline.slots.map((slot) => slot.end_s),
            timeline.slots.map((slot) => slot.operations[k + 1].p95_ms),
          )
        )
          found.push(`${kind}, run ${timeline.repeat}`);
      });
      const place = timeline.operations.indexOf("new_order");
      const { data } = option(`tpmc-time-${cell}`).series[run];
      if (
        !hasSteps(
          data,
          timeline.slots.map((slot) => slot.end_s),
          timeline.slots.map((slot) => slot.operations[place].per_s * 60),
        )
      )
        found.push(`tpmC, run ${timeline.repeat}`);
    });
    return found;
  }, id);
  assert.deepEqual(wrong, []);
}

/** The panels of a watched cell show what was seen of it, are zoomed together, and show one repeat at a time. */
export async function panelsEqualTheView(page) {
  const id = await page.evaluate(
    () => window.mydyno.view.cells.find((c) => c.trials.some((t) => t.observed))?.id,
  );
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
        const watched = view.cells.find((c) => c.id === name).trials.filter((t) => t.observed)[
          wanted
        ];
        const found = [];
        const names = charts().filter(
          (chart) => chart.startsWith("panel-") && chart.endsWith(`-${name}`),
        );
        const lines = names.flatMap((chart) =>
          option(chart)
            .series.filter((s) => s.type === "line")
            .map((s) => ({ ...s, chart })),
        );
        for (const { id: line, values } of watched.observed.series) {
          const shown = lines.filter((s) => s.id === line);
          if (shown.length !== 1) found.push(`${line} is drawn ${shown.length} times`);
          if (!window.e2e.hasSteps(shown[0]?.data ?? [], watched.observed.at_s, values))
            found.push(line);
        }
        for (const chart of names)
          if (option(chart).yAxis[0].min !== 0) found.push(`${chart}: y does not start at zero`);
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
      const charts = window.mydyno
        .charts()
        .filter((chart) => chart.endsWith(`-${name}`) && /^panel-|-time-/.test(chart));
      return [
        ...new Set(
          charts.flatMap((chart) =>
            window.mydyno.option(chart).xAxis.map((axis) => `${axis.min} to ${axis.max}`),
          ),
        ),
      ];
    }, id);
  const before = await ranges();
  assert.equal(before.length, 1, `not one time axis: ${before}`);
  const reset = cell.locator("button.reset");
  assert.equal(await reset.isVisible(), false);
  const part = await cell
    .locator(".stretch input")
    .last()
    .evaluate((input) => String(Math.min(1.5, Math.round(Number(input.value) * 5) / 10)));
  await cell.locator(".stretch input").last().fill(part);
  await cell.locator(".stretch input").last().press("Enter");
  await reset.waitFor();
  assert.deepEqual(await ranges(), [`0 to ${part}`]);
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
export async function serverEqualsTheView(page) {
  const wrong = await page.evaluate(() => {
    const { view } = window.mydyno;
    const found = [];
    const costs = new Set(view.cells.flatMap((c) => (c.costs ?? []).map((cost) => cost.id)));
    const heads =
      document.querySelectorAll("#costs thead th").length - 2 - (view.workloads.length > 1 ? 1 : 0);
    if (costs.size > 0 && heads !== costs.size)
      found.push(`${heads} columns for ${costs.size} costs`);
    if (costs.size === 0 && document.querySelector("#costs")) found.push("a table of no costs");
    const given = (view.advice ?? []).flatMap((of) => of.items.map(({ advice }) => advice));
    const shown = [...document.querySelectorAll("#advice ol.advice > li .evidence code")].map(
      (e) => e.textContent,
    );
    const wanted = (view.advice ?? []).flatMap(({ items }) => {
      const low = (item) => item.advice.severity === "low";
      return [...items.filter((i) => !low(i)), ...items.filter(low)].map(
        ({ advice }) => advice.evidence,
      );
    });
    if (JSON.stringify(shown) !== JSON.stringify(wanted)) found.push("advice");
    const last = [...document.querySelectorAll("main > section")].at(-1)?.id;
    if (given.length > 0 && last !== "advice") found.push(`${last} comes last`);
    for (const link of document.querySelectorAll("#advice a:not(.anchor)"))
      if (link.rel !== "noopener") found.push(link.href);
    for (const fold of document.querySelectorAll("#advice details"))
      if (fold.open) found.push("low severity is open");
    return found;
  });
  assert.deepEqual(wrong, []);
  const id = await page.evaluate(
    () => window.mydyno.view.cells.find((c) => (c.tops?.statements ?? []).length > 5)?.id,
  );
  if (id === undefined) return;
  await page.evaluate((cell) => {
    location.hash = `#${encodeURIComponent(`cell-${cell}`)}`;
  }, id);
  const some = page.locator(`[id="cell-${id}"] .server .some`).first();
  await some.waitFor();
  assert.equal(await some.locator("tbody tr").count(), 5);
  await some.locator("button", { hasText: /\d/ }).last().click();
  const all = await page.evaluate(
    (cell) => window.mydyno.view.cells.find((c) => c.id === cell).tops.statements.length,
    id,
  );
  assert.equal(await some.locator("tbody tr").count(), all);
}
