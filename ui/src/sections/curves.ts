// Two minutes: what does not stand at the top, against concurrency, and every figure of these charts as tables.

import { concurrencyOption } from "../charts/concurrency";
import { onlyCell } from "../charts/overtime";
import { areDots, estimateOf, type Metric, pointsOf, primaryMetric } from "../charts/points";
import { type Child, h, lazyDetails } from "../dom";
import { ends, ratioEnds } from "../format";
import { joined, say, t } from "../i18n";
import { gotoCell } from "../place";
import { table, type Column } from "../table";
import type { Cell, ComparisonView, View } from "../view";
import { TITLES, wholeFailure, workloadsAbove } from "./answer";
import { figure, note, section } from "./section";

const HEIGHT_PX = 320;

/** Nothing where there is no curve. */
export function curves(view: View): HTMLElement | null {
  if ((view.capacities ?? []).length > 0) return null;
  if (onlyCell(view) || view.cells.length === 1 || wholeFailure(view)) return null;
  const several = view.workloads.length > 1;
  const groups = view.workloads.flatMap((workload, index): Child[] => {
    const frames = shownHere(view, index).map((metric) => frame(view, index, metric));
    return [
      several && h("h3", {}, workload.label),
      h("div", { class: "multiples" }, ...frames),
      shapes(view, workload.label),
      twin(view, index),
    ];
  });
  return section("curves", t("curves"), note(t(noteOf(view))), ...groups);
}

/** Metrics of a workload that are not at the top of the page and that any cell has. */
function shownHere(view: View, workload: number): Metric[] {
  const primary = primaryMetric(view, workload);
  const above: Metric[] =
    workload >= workloadsAbove(view)
      ? []
      : workloadsAbove(view) === 1
        ? [primary, "response_p95_ms"]
        : [primary];
  const all: Metric[] =
    primary === "tpmc"
      ? ["tpmc", "throughput_per_s", "response_p95_ms", "response_p99_ms"]
      : ["throughput_per_s", "response_p95_ms", "response_p99_ms"];
  const own = view.cells.filter((c) => c.workload === workload);
  return all.filter(
    (metric) => !above.includes(metric) && own.some((c) => estimateOf(c, metric) !== null),
  );
}

/** What the marks of the charts mean. */
function noteOf(view: View): "curves-note-single" | "curves-note-dots" | "curves-note" {
  if (view.cells.every((c) => c.runs_completed < 2)) return "curves-note-single";
  const all = view.targets.flatMap((_, target) => pointsOf(view.cells, target, "throughput_per_s"));
  return areDots(all) ? "curves-note-dots" : "curves-note";
}

/** How the curves scale, break and cross, in words. */
function shapes(view: View, workload: string): HTMLElement | null {
  const own = <T extends { workload: string }>(all: T[] | undefined): T[] =>
    (all ?? []).filter((one) => one.workload === workload);
  const crossings = own(view.overtakings).map((one) => [one.says]);
  const sentences = [...crossings, ...own(view.curves).map((one) => one.says)].filter(
    (says) => says.length > 0,
  );
  if (sentences.length === 0) return null;
  return h(
    "ul",
    { class: "plain" },
    ...sentences.map((says) => h("li", {}, joined("join-clauses", says.map(say)))),
  );
}

function frame(view: View, workload: number, metric: Metric): HTMLElement {
  const title = t(TITLES[metric]);
  return figure(title, {
    id: `${metric}-${workload}`,
    label: joined("join-phrases", [view.workloads[workload]?.label, title]),
    height_px: HEIGHT_PX,
    option: (width, height) => concurrencyOption(view, workload, metric, width, height),
    onCell: gotoCell,
  });
}

interface Row {
  threads: number;
  cells: (Cell | undefined)[];
  ratios: (ComparisonView | undefined)[];
}

/** Every figure of the charts of one workload. */
function twin(view: View, workload: number): HTMLElement {
  const cells = view.cells.filter((c) => c.workload === workload);
  const threads = [...new Set(cells.map((c) => c.threads))].sort((a, b) => a - b);
  const rows = threads.map((n): Row => {
    const compared = view.comparisons.filter((c) => c.workload === workload && c.threads === n);
    return {
      threads: n,
      cells: view.targets.map((_, i) => cells.find((c) => c.threads === n && c.target === i)),
      ratios: view.targets.map((_, i) => compared.find((c) => c.other === i)),
    };
  });
  const columns: Column<Row>[] = [{ head: t("clients"), value: (r) => r.threads }];
  view.targets.forEach((target, i) => {
    columns.push(
      {
        head: t("with-unit", { what: target.label, unit: t("transactions-per-s") }),
        value: (r) => r.cells[i]?.throughput_per_s?.mean ?? null,
        decimals: 1,
      },
      { head: t("interval"), value: (r) => interval(r.cells[i]) },
      {
        head: t("in-ms", { what: "p95" }),
        value: (r) => mean(r.cells[i], "response_p95_ms"),
        decimals: 2,
      },
      {
        head: t("in-ms", { what: "p99" }),
        value: (r) => mean(r.cells[i], "response_p99_ms"),
        decimals: 2,
      },
    );
    if (i > 0 && view.comparisons.some((c) => c.other === i)) {
      const head = t("ratio-of", { other: target.label, base: view.targets[0]?.label ?? "" });
      columns.push(
        { head, value: (r) => r.ratios[i]?.throughput_ratio ?? null, decimals: 3 },
        { head: t("interval"), value: (r) => (r.ratios[i] ? ratioEnds(r.ratios[i]) : null) },
        { head: t("verdict"), value: (r) => verdict(r.ratios[i]) },
      );
    }
  });
  return lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table({ caption: view.workloads[workload]?.label ?? "", columns, rows }),
  ]);
}

function mean(cell: Cell | undefined, metric: Metric): number | null {
  return cell ? (estimateOf(cell, metric)?.mean ?? null) : null;
}

function interval(cell: Cell | undefined): string | null {
  if (!cell) return null;
  const estimate = cell.throughput_per_s;
  return estimate === null
    ? t("status", { status: cell.status })
    : ends(estimate) || t("single-trial");
}

function verdict(comparison: ComparisonView | undefined): string | null {
  return comparison ? t("verdict-is", { verdict: comparison.verdict }) : null;
}
