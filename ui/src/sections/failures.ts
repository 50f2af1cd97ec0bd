// What failed, and which errors the servers gave.

import { h } from "../dom";
import { figure } from "../format";
import { t } from "../i18n";
import { cellAnchor } from "../place";
import { table, type Column } from "../table";
import type { Cell, ErrorRow, View } from "../view";
import { note, section } from "./section";

export function failures(view: View): HTMLElement | null {
  const failed = view.cells.filter((c) => c.status !== "completed");
  if (failed.length === 0) return null;
  const made = table<Cell>({
    caption: t("failures"),
    captionHidden: true,
    rows: failed,
    columns: [
      { head: t("target"), value: (c) => label(view, c), show: (c) => h("a", { href: `#${encodeURIComponent(cellAnchor(c.id))}` }, label(view, c)) },
      ...workloadColumn(view, (c: Cell) => c.workload),
      { head: t("clients"), value: (c) => c.threads },
      { head: t("outcome"), value: (c) => t(c.status) },
      { head: t("reason"), value: (c) => c.failure?.message ?? null },
      { head: t("hint"), value: (c) => c.failure?.hint ?? null },
    ],
  });
  return section("failures", t("failures"), made);
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

export function errors(view: View): HTMLElement {
  const rows = view.cells.flatMap((cell) => cell.errors.map((error): Found => ({ ...error, cell })));
  if (rows.length === 0) return section("errors", t("errors"), note(t("errors_none")));
  const made = table<Found>({
    caption: t("errors"),
    captionHidden: true,
    rows,
    columns: [
      { head: t("code"), value: (r) => r.code, show: (r) => String(r.code) },
      { head: t("state"), value: (r) => r.state },
      { head: t("target"), value: (r) => label(view, r.cell) },
      ...workloadColumn(view, (r: Found) => r.cell.workload),
      { head: t("clients"), value: (r) => r.cell.threads },
      { head: t("count"), value: (r) => r.count },
      { head: t("per_s"), value: (r) => r.per_s, show: (r) => figure(r.per_s) },
      { head: t("forgiven"), value: (r) => t(r.forgiven ? "yes" : "no") },
      { head: t("message"), value: (r) => r.message },
      { head: t("statement"), value: (r) => r.statement, show: (r) => h("code", { class: "long" }, r.statement) },
    ],
  });
  return section("errors", t("errors"), made);
}
