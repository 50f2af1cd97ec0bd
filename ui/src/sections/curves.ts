// Two minutes: percentiles of response time against concurrency, and the same figures as tables.

import { chart } from "../charts/base";
import { concurrencyOption, type Metric } from "../charts/concurrency";
import { onlyCell } from "../charts/overtime";
import { type Child, h, lazyDetails } from "../dom";
import { figure, NOTHING, plusMinus } from "../format";
import { lang, say, t, type Label } from "../i18n";
import { gotoCell } from "../place";
import { table, type Column } from "../table";
import type { Cell, Comparison, View } from "../view";
import { workloadsAbove } from "./answer";
import { unequalWork } from "./differences";
import { note, section } from "./section";

const HEIGHT_PX = 320;
const TITLES: Record<Metric, Label> = { throughput_per_s: "throughput", response_p95_ms: "p95", response_p99_ms: "p99" };

/** Nothing where there is no curve. */
export function curves(view: View): HTMLElement | null {
  if (onlyCell(view)) return null;
  const several = view.workloads.length > 1;
  const single = view.cells.every((c) => c.runs_completed < 2);
  const groups = view.workloads.flatMap((workload, index): Child[] => {
    // The first workload's throughput is already at the top of the page; of some experiments that of two.
    const metrics: Metric[] = index < workloadsAbove(view) ? ["response_p95_ms", "response_p99_ms"] : ["throughput_per_s", "response_p95_ms", "response_p99_ms"];
    const frames = metrics.map((metric) => frame(view, index, metric));
    return [several && h("h3", {}, workload.label), h("div", { class: "multiples" }, ...frames), shapes(view, workload.label), twin(view, index)];
  });
  const title = t(several ? "curves_all" : "curves");
  return section("curves", title, note(t(single ? "curves_note_single" : "curves_note")), unequalWork(view), ...groups);
}

/** How the curves scale, break and cross, in words. */
function shapes(view: View, workload: string): HTMLElement | null {
  const own = <T extends { workload: string }>(all: T[] | undefined): T[] => (all ?? []).filter((one) => one.workload === workload);
  const crossings = own(view.overtakings).map((one) => [one.says]);
  const sentences = [...crossings, ...own(view.curves).map((one) => one.says)].filter((says) => says.length > 0);
  if (sentences.length === 0) return null;
  return h("ul", { class: "plain" }, ...sentences.map((says) => h("li", {}, says.map(say).join(lang() === "zh" ? "；" : "; "))));
}

function frame(view: View, workload: number, metric: Metric): HTMLElement {
  const label = t(TITLES[metric]);
  const drawn = chart({
    id: `${metric}-${workload}`,
    label,
    height_px: HEIGHT_PX,
    option: (width, height) => concurrencyOption(view, workload, metric, width, height),
    onCell: gotoCell,
  });
  return h("figure", {}, h("figcaption", {}, label), drawn);
}

interface Row {
  threads: number;
  cells: (Cell | undefined)[];
  ratios: (Comparison | undefined)[];
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
      { head: `${target.label}, ${t("transactions_per_s")}`, value: (r) => r.cells[i]?.throughput_per_s?.mean ?? null, decimals: 1 },
      { head: t("interval"), value: (r) => interval(r.cells[i]), show: (r) => interval(r.cells[i]) },
      { head: "p95, ms", value: (r) => r.cells[i]?.response_p95_ms?.mean ?? null, decimals: 2 },
      { head: "p99, ms", value: (r) => r.cells[i]?.response_p99_ms?.mean ?? null, decimals: 2 },
    );
    if (i > 0 && view.comparisons.some((c) => c.other === i)) {
      const head = `${t("ratio")} ${target.label} / ${view.targets[0]?.label ?? ""}`;
      columns.push(
        { head, value: (r) => r.ratios[i]?.throughput_ratio ?? null, decimals: 3 },
        { head: t("interval"), value: (r) => ratioInterval(r.ratios[i]) },
        { head: t("verdict"), value: (r) => verdict(r.ratios[i]) },
      );
    }
  });
  return lazyDetails([t("table_twin")], { class: "twin" }, () => [
    table({ caption: view.workloads[workload]?.label ?? "", columns, rows }),
  ]);
}

function interval(cell: Cell | undefined): string {
  if (!cell) return NOTHING;
  const estimate = cell.throughput_per_s;
  if (estimate === null) return t(cell.status);
  return plusMinus(estimate) || t("single_run");
}

function verdict(comparison: Comparison | undefined): string | null {
  return comparison ? t(`verdict_${comparison.verdict}`) : null;
}

function ratioInterval(comparison: Comparison | undefined): string {
  if (!comparison || comparison.low === null || comparison.high === null) return NOTHING;
  return `${figure(comparison.low)} … ${figure(comparison.high)}`;
}
