// What failovers under load cost: how long nobody could commit, what was lost, and what became of the old primary.

import { style } from "../charts/base";
import { type Child, h } from "../dom";
import { decimalsOfAll, fixed } from "../format";
import { say, t } from "../i18n";
import { cellAnchor } from "../place";
import { type Column, table } from "../table";
import type { Cell, FailoverSummary, View } from "../view";
import { note, section } from "./section";

interface Row {
  cell: Cell;
  failover: FailoverSummary;
}

function rowsOf(view: View): Row[] {
  return view.cells.flatMap((cell) => (cell.failover ? [{ cell, failover: cell.failover }] : []));
}

export function failover(view: View): HTMLElement | null {
  const rows = rowsOf(view);
  if (rows.length === 0) return null;
  return section(
    "failover",
    t("failover"),
    note(t("failover-note")),
    broken(rows),
    costs(view, rows),
  );
}

function isBroken({ failover }: Row): boolean {
  return failover.broken;
}

/** Promises that were broken stand above everything else, in words. */
function broken(rows: Row[]): HTMLElement | null {
  const all = rows.filter(isBroken);
  if (all.length === 0) return null;
  const one = ({ failover }: Row): HTMLElement =>
    h("li", { class: "trust red" }, t("sentence", { text: say(failover.says) }));
  return h("ul", { class: "plain" }, ...all.map(one));
}

function costs(view: View, rows: Row[]): HTMLElement {
  const label = ({ cell }: Row): string => view.targets[cell.target]?.label ?? "";
  const loss = ({ failover }: Row): string => t("failover-kind", { loss: failover.loss });
  const promise = (row: Row): string => {
    if (!row.failover.promised && row.failover.fell_back > 0) return t("failover-promise-async");
    const standing = isBroken(row) ? "broken" : row.failover.promised ? "kept" : "none";
    return t("crash-promise", { standing });
  };
  const vary = (by: (cell: Cell) => unknown): boolean =>
    new Set(rows.map(({ cell }) => by(cell))).size > 1;
  const columns: Column<Row>[] = [
    { head: t("target"), value: label, show: (row) => link(row.cell, label(row)) },
    ...(vary((cell) => cell.workload)
      ? [
          {
            head: t("workload"),
            value: ({ cell }: Row) => view.workloads[cell.workload]?.label ?? null,
          },
        ]
      : []),
    ...(vary((cell) => cell.threads)
      ? [{ head: t("clients"), value: ({ cell }: Row) => cell.threads }]
      : []),
    ...(new Set(rows.map(loss)).size > 1
      ? [{ head: t("failover-primary"), value: loss, show: (row: Row) => whole(loss(row)) }]
      : []),
    figures(rows, t("failover-without"), ({ failover }) => failover.without_commit_s_worst),
    figures(rows, t("failover-median"), ({ failover }) => failover.without_commit_s_median),
    figures(rows, t("failover-promoted"), ({ failover }) => failover.promoted_s),
    figures(rows, t("failover-back"), ({ failover }) => failover.recovered_s),
    { head: t("failover-promised"), value: promise, show: (row) => marked(row, promise(row)) },
    {
      head: t("failover-lost"),
      value: ({ failover }) => failover.lost_in,
      show: (row) =>
        marked(
          row,
          t("failover-lost-in", {
            lost: row.failover.lost_in,
            failovers: row.failover.failovers,
          }),
        ),
    },
    { head: t("crash-most"), value: ({ failover }) => failover.lost_most },
    figures(rows, t("failover-age"), ({ failover }) => failover.lost_ms_worst),
    ...(rows.some(({ failover }) => failover.split_brain_most !== null)
      ? [
          {
            head: t("failover-split"),
            value: ({ failover }: Row) => failover.split_brain_most,
          },
        ]
      : []),
    { head: t("failover-unknown"), value: ({ failover }) => failover.unknown_most },
    { head: t("failover-errors"), value: (row) => errors(row) },
    { head: t("failover-old"), value: (row) => old(row) },
  ];
  return table({ caption: t("failover"), captionHidden: true, columns, rows });
}

/** Errors of the clients, the most frequent first. */
function errors({ failover }: Row): string {
  return failover.errors.map(({ code, count }) => `${code} x ${count}`).join(", ");
}

/** What became of the old primary. */
function old({ failover }: Row): string {
  if (failover.diverged > 0) return t("failover-diverged", { count: failover.diverged_most });
  if (failover.rejoined_s === null) return t("failover-away");
  return t("failover-rejoined", { s: fixed(failover.rejoined_s, 1) });
}

function link(cell: Cell, label: string): Child {
  const swatch = h("i", { class: "swatch", style: `background:${style(cell.target).colour}` });
  const href = `#${encodeURIComponent(cellAnchor(cell.id))}`;
  return h("span", { class: "option" }, swatch, h("a", { href }, label));
}

function figures(rows: Row[], head: string, value: (row: Row) => number | null): Column<Row> {
  const decimals = decimalsOfAll(rows.map((row) => value(row) ?? 0));
  const shown = (found: number | null): string => (found === null ? "" : fixed(found, decimals));
  return { head, value, show: (row) => shown(value(row)) };
}

/** Words on one line. */
function whole(words: string): HTMLElement {
  return h("span", { class: "option" }, words);
}

/** What stands to a broken promise is bad. */
function marked(row: Row, words: string): HTMLElement {
  return isBroken(row) ? h("b", { class: "bad option" }, words) : whole(words);
}
