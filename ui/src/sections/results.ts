// One table for each workload: a row for each number of clients, per target its figures, its ratio to the first and the verdict.
// Behind it, folded, what is known of each target besides.

import { style } from "../charts/base";
import { pooled, tpmcOf } from "../charts/points";
import { type Child, h, lazyDetails } from "../dom";
import { decimalsOfAll, ends, NOTHING, ratioEnds } from "../format";
import { joined, say, t } from "../i18n";
import { cellAnchor } from "../place";
import { ended } from "../said";
import { table, type Column } from "../table";
import type { Cell, ComparisonView, EstimateView, TargetView, View } from "../view";
import { reported } from "./reported";
import { note, section } from "./section";

interface Row {
  threads: number;
  cells: (Cell | undefined)[];
  compared: (ComparisonView | undefined)[];
}

export function results(view: View): HTMLElement | null {
  // The rates that a search tried stand in a table of their own.
  if ((view.capacities ?? []).length > 0) return null;
  if (!view.cells.some((c) => c.throughput_per_s !== null)) return null;
  const several = view.workloads.length > 1;
  const groups = view.workloads.flatMap((workload, w): Child[] => [
    several && h("h3", {}, workload.label),
    whole(view, w),
    reportedByType(view, w),
    byTarget(view, w),
  ]);
  return section("results", t("results"), note(notes(view)), ...groups);
}

function notes(view: View): string {
  const families = [...new Set(view.comparisons.map((c) => c.family_size ?? 0))].filter(
    (size) => size > 1,
  );
  const corrected =
    families.length === 0
      ? []
      : [
          t("results-family", {
            count: joined("join-list", families.sort((a, b) => a - b).map(String)),
          }),
        ];
  const imported = view.runs.some((run) => run.imported) ? [t("results-imported")] : [];
  return joined("join-sentences", [
    t(view.comparisons.length > 0 ? "results-note" : "results-note-alone"),
    ...corrected,
    ...imported,
  ]);
}

function rowsOf(view: View, workload: number): Row[] {
  const cells = view.cells.filter((c) => c.workload === workload);
  const threads = [...new Set(cells.map((c) => c.threads))].sort((a, b) => a - b);
  return threads.map((n) => {
    const compared = view.comparisons.filter((c) => c.workload === workload && c.threads === n);
    return {
      threads: n,
      cells: view.targets.map((_, i) => cells.find((c) => c.threads === n && c.target === i)),
      compared: view.targets.map((_, i) => compared.find((c) => c.other === i)),
    };
  });
}

function whole(view: View, workload: number): HTMLElement {
  const rows = rowsOf(view, workload);
  const columns: Column<Row>[] = [{ head: t("clients"), value: (r) => r.threads }];
  view.targets.forEach((target, i) => {
    if (rows.every((r) => r.cells[i] === undefined)) return;
    const of =
      (pick: (cell: Cell) => number | null | undefined) =>
      (r: Row): number | null =>
        r.cells[i] ? (pick(r.cells[i]) ?? null) : null;
    const group = { title: target.label, mark: style(i).colour };
    const figures = (
      head: string,
      pick: (cell: Cell) => number | null | undefined,
    ): Column<Row> => {
      const value = of(pick);
      return { head, value, decimals: decimalsOfAll(rows.map((r) => value(r) ?? 0)), group };
    };
    const own = rows.flatMap((r) => r.cells[i] ?? []);
    const isTpcc = own.some((c) => tpmcOf(c) !== null);
    const tpmc = own.some((c) => c.tpmc) ? t("tpmc-reported") : t("tpmc");
    const estimateOf = (c: Cell): EstimateView | null => (isTpcc ? tpmcOf(c) : c.throughput_per_s);
    const rate = figures(isTpcc ? tpmc : t("transactions-per-s"), (c) => estimateOf(c)?.mean);
    const interval = (r: Row): string | null => {
      const estimate = r.cells[i] && estimateOf(r.cells[i]);
      return estimate ? ends(estimate) || t("single-trial") : null;
    };
    columns.push(
      { ...rate, show: (r) => linked(r.cells[i], rate, r) },
      ...(own.some((c) => pooled(c, "response_p95_ms") !== null)
        ? [figures(t("in-ms", { what: "p95" }), (c) => pooled(c, "response_p95_ms"))]
        : []),
      {
        head: t("interval-of", { figure: isTpcc ? t("tpmc") : rate.head }),
        value: interval,
        group,
        show: (r) => interval(r) ?? "",
      },
    );
    if (rows.some((r) => r.compared[i])) {
      columns.push(
        {
          head: t("ratio"),
          value: (r) => r.compared[i]?.throughput_ratio ?? null,
          decimals: 2,
          group,
        },
        {
          head: t("interval"),
          value: (r) => (r.compared[i] ? ratioEnds(r.compared[i]) : null),
          group,
        },
        {
          head: t("verdict"),
          value: (r) =>
            r.compared[i] ? t("verdict-is", { verdict: r.compared[i].verdict }) : null,
          group,
          show: (r) => verdict(r.compared[i]),
        },
      );
    }
  });
  const made = table<Row>({
    caption: captionOf(view, workload),
    captionHidden: true,
    columns,
    rows,
  });
  made.classList.add("whole");
  return made;
}

/** Latencies by type of transaction; nothing where no tool reported them. */
function reportedByType(view: View, workload: number): HTMLElement | null {
  const typed = view.cells.filter(
    (c) => c.workload === workload && c.trials.some((trial) => (trial.stated ?? []).length > 1),
  );
  return reported(view, typed);
}

function captionOf(view: View, workload: number): string {
  return t("results-of", { workload: view.workloads[workload]?.label ?? "" });
}

/** The figure, and the way to its cell; where there is none, why. */
function linked(cell: Cell | undefined, column: Column<Row>, row: Row): Child {
  if (!cell) return NOTHING;
  const value = column.value(row);
  const words =
    typeof value === "number"
      ? fixedOf(value, column.decimals)
      : t("status", { status: cell.status });
  const link = h("a", { href: `#${encodeURIComponent(cellAnchor(cell.id))}` }, words);
  if (value !== null) return link;
  link.classList.add("bad");
  if (cell.failure) link.title = cell.failure.message;
  return link;
}

function fixedOf(value: number, decimals = 0): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

function verdict(comparison: ComparisonView | undefined): Child {
  if (!comparison) return "";
  const decided = ["better", "worse", "same"].includes(comparison.verdict);
  const words = t("verdict-is", { verdict: comparison.verdict });
  if (decided) return h("span", { class: "decided" }, words);
  return h(
    "span",
    { class: "undecided" },
    comparison.withheld ? t("labelled", { label: words, text: say(comparison.withheld) }) : words,
  );
}

/** What published comparisons show of each target: its instance, sums and percentiles. */
function byTarget(view: View, workload: number): HTMLElement {
  return lazyDetails([t("results-by-target")], { class: "fold" }, () => [
    note(t("results-sums")),
    h(
      "div",
      { class: "pairs" },
      ...view.targets.map((target, i) => one(view, target, i, workload)),
    ),
  ]);
}

/** What the server is; of a topology each of its servers. */
function serverLines({ summary, members = [] }: TargetView): string[] {
  if (members.length === 0) return [say(summary)];
  return members.map((member) => `${member.name}: ${say(member.summary)}`);
}

function one(view: View, target: TargetView, index: number, workload: number): HTMLElement | null {
  const rows = view.cells.filter((c) => c.target === index && c.workload === workload);
  if (rows.length === 0) return null;
  const instance = Object.entries(target.instance).map(([key, value]) => `${key} ${value}`);
  const lines = [...serverLines(target), ...(instance.length > 0 ? [instance.join(" · ")] : [])];
  const made = table<Cell>({
    caption:
      view.workloads.length > 1
        ? joined("join-phrases", [target.label, view.workloads[workload]?.label])
        : target.label,
    lines,
    rows,
    spanning: (c) => (c.totals === null ? ended(c) : null),
    columns: [
      {
        head: t("clients"),
        value: (c) => c.threads,
        show: (c) =>
          h("a", { href: `#${encodeURIComponent(cellAnchor(c.id))}` }, String(c.threads)),
      },
      { head: t("repeats"), value: (c) => c.runs_completed },
      {
        head: t("transactions-per-s"),
        value: (c) => c.throughput_per_s?.mean ?? null,
        decimals: 1,
      },
      {
        head: t("interval"),
        value: (c) => (c.throughput_per_s ? ends(c.throughput_per_s) || t("single-trial") : null),
      },
      {
        head: t("in-ms", { what: t("average") }),
        value: (c) => c.totals?.response_avg_ms ?? null,
        decimals: 2,
      },
      {
        head: t("in-ms", { what: "p95" }),
        value: (c) => pooled(c, "response_p95_ms"),
        decimals: 2,
      },
      {
        head: t("in-ms", { what: "p99" }),
        value: (c) => pooled(c, "response_p99_ms"),
        decimals: 2,
      },
      { head: t("transactions"), value: (c) => c.totals?.transactions ?? null },
      { head: t("statements"), value: (c) => c.totals?.queries ?? null },
      { head: t("time-s"), value: (c) => c.totals?.time_s ?? null, decimals: 2 },
    ],
  });
  made.style.setProperty("--mark", style(index).colour);
  made.classList.add("marked");
  return made;
}
