// The table that published comparisons use: one per target, what is known of the instance above it.

import { style } from "../charts/base";
import { type Child, h } from "../dom";
import { NOTHING, plusMinus } from "../format";
import { say, t } from "../i18n";
import { cellAnchor } from "../place";
import { table } from "../table";
import type { Cell, Target, View } from "../view";
import { note, section } from "./section";

export function results(view: View): HTMLElement {
  const several = view.workloads.length > 1;
  const groups = view.workloads.flatMap((workload, w): Child[] => [
    several && h("h3", {}, workload.label),
    h("div", { class: "pairs" }, ...view.targets.map((target, i) => one(view, target, i, w))),
  ]);
  return section("results", t("results"), note(t("results_note")), ...groups);
}

function one(view: View, target: Target, index: number, workload: number): HTMLElement | null {
  const rows = view.cells.filter((c) => c.target === index && c.workload === workload);
  if (rows.length === 0) return null;
  const instance = Object.entries(target.instance).map(([key, value]) => `${key} ${value}`);
  const lines = [say(target.summary), ...(instance.length > 0 ? [instance.join(" · ")] : [])];
  const made = table<Cell>({
    caption: target.label,
    lines,
    rows,
    spanning: (c) => (c.totals === null ? `${t(c.status)}${c.failure ? `: ${c.failure.message}` : ""}` : null),
    columns: [
      {
        head: t("threads"),
        value: (c) => c.threads,
        show: (c) => h("a", { href: `#${encodeURIComponent(cellAnchor(c.id))}` }, String(c.threads)),
      },
      { head: t("runs"), value: (c) => c.runs_completed },
      { head: t("transactions"), value: (c) => c.totals?.transactions ?? null },
      { head: t("queries"), value: (c) => c.totals?.queries ?? null },
      { head: t("time_s"), value: (c) => c.totals?.time_s ?? null, decimals: 2 },
      { head: t("avg_ms"), value: (c) => c.totals?.response_avg_ms ?? null, decimals: 2 },
      { head: t("p95_ms"), value: (c) => c.totals?.response_p95_ms ?? null, decimals: 2 },
      { head: t("transactions_per_s"), value: (c) => c.throughput_per_s?.mean ?? null, decimals: 1 },
      { head: "±", value: (c) => (c.throughput_per_s ? plusMinus(c.throughput_per_s) || t("single_run") : NOTHING) },
    ],
  });
  made.style.setProperty("--mark", style(index).colour);
  made.classList.add("marked");
  return made;
}
