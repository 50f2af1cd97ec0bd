// What failed, and which errors the servers gave.

import { h } from "../dom";
import { figure } from "../format";
import { t } from "../i18n";
import { cellAnchor } from "../place";
import { setAside } from "../said";
import { table, type Column } from "../table";
import type { Cell, ErrorRow, View } from "../view";
import { wholeFailure } from "./answer";
import { note, section } from "./section";
import { inLanguage } from "./translated";

export function failures(view: View): HTMLElement | null {
  const failed = view.cells.filter((c) => c.status !== "completed");
  if (failed.length === 0) return null;
  // All of one reason that stands at the head of the page already: a table would only repeat it.
  const same = wholeFailure(view);
  if (same && failed.every((c) => c.failure === null || c.failure.message === same.message))
    return null;
  const made = table<Cell>({
    caption: t("failures"),
    captionHidden: true,
    rows: failed,
    columns: [
      {
        head: t("target"),
        value: (c) => label(view, c),
        show: (c) => h("a", { href: `#${encodeURIComponent(cellAnchor(c.id))}` }, label(view, c)),
      },
      ...workloadColumn(view, (c: Cell) => c.workload),
      { head: t("clients"), value: (c) => c.threads },
      {
        head: t("outcome"),
        value: (c) =>
          c.status === "partial"
            ? t("trials-valid", { done: c.runs_completed, planned: c.runs_planned })
            : t("status", { status: c.status }),
      },
      { head: t("reason"), value: reason },
      {
        head: t("hint"),
        value: (c) => c.failure?.hint ?? null,
        show: (c) => (c.failure?.hint ? h("span", {}, ...inLanguage(c.failure.hint)) : ""),
      },
    ],
  });
  return section("failures", t("failures"), made);
}

/** Why it failed; else why trials of it do not count. */
function reason(cell: Cell): string | null {
  if (cell.failure) return cell.failure.message;
  const aside = cell.trials.flatMap((trial) => trial.set_aside ?? []);
  return aside.length === 0 ? null : setAside(aside);
}

function label(view: View, cell: Cell): string {
  return view.targets[cell.target]?.label ?? "";
}

/** Only where there is more than one workload. */
function workloadColumn<Row>(view: View, workload: (row: Row) => number): Column<Row>[] {
  if (view.workloads.length < 2) return [];
  return [{ head: t("workload"), value: (row) => view.workloads[workload(row)]?.label ?? null }];
}

type Found = ErrorRow & { cell: Cell };

export function errors(view: View): HTMLElement | null {
  if (wholeFailure(view) && view.cells.every((cell) => cell.errors.length === 0)) return null;
  const rows = view.cells.flatMap((cell) =>
    cell.errors.map((error): Found => ({ ...error, cell })),
  );
  // Another tool reports how many there were, not which: its count stands among the results.
  if (rows.length === 0 && view.runs.every((run) => run.imported)) return null;
  if (rows.length === 0) return section("errors", t("errors"), note(t("errors-none")));
  const made = table<Found>({
    caption: t("errors"),
    captionHidden: true,
    rows,
    columns: [
      { head: t("code"), value: (r) => r.code, show: (r) => String(r.code) },
      { head: t("sqlstate"), value: (r) => r.state },
      { head: t("target"), value: (r) => label(view, r.cell) },
      ...workloadColumn(view, (r: Found) => r.cell.workload),
      { head: t("clients"), value: (r) => r.cell.threads },
      { head: t("count"), value: (r) => r.count },
      { head: t("per-s"), value: (r) => r.per_s, show: (r) => figure(r.per_s) },
      { head: t("load-continued"), value: (r) => t(r.forgiven ? "yes" : "no") },
      { head: t("message"), value: (r) => r.message },
      {
        head: t("statement"),
        value: (r) => r.statement,
        show: (r) => h("code", { class: "long" }, r.statement),
      },
    ],
  });
  return section("errors", t("errors"), made);
}
