// What was done to servers during a load: throughput over time with the marks of it, and what each event did.

import { style } from "../charts/base";
import { numbered, overTimeOption, shownTrials } from "../charts/overtime";
import { stripHeight } from "../charts/strips";
import { type Child, h } from "../dom";
import { decimalsOfAll, fixed } from "../format";
import { say, t } from "../i18n";
import { cellAnchor } from "../place";
import { type Column, table } from "../table";
import type { Cell, EventSummary, View } from "../view";
import { figure, note, section } from "./section";

/** More charts than this would be too small to read. */
const FRAMES_MOST = 6;

/** Cells to whose servers something was done while their load went on. */
function eventful(view: View): Cell[] {
  const isMarked = (cell: Cell): boolean =>
    cell.trials.some((trial) => (trial.marks ?? []).length > 0);
  return view.cells.filter((cell) => isMarked(cell) && shownTrials(cell).length > 0);
}

/** Whether the page begins with throughput over time. */
export function hasEventFrames(view: View): boolean {
  return eventful(view).length > 0;
}

/** Throughput over time of each cell: that is what an event changes. */
export function eventFrames(view: View): HTMLElement[] {
  const varies = (by: (cell: Cell) => unknown): boolean => new Set(view.cells.map(by)).size > 1;
  return eventful(view)
    .slice(0, FRAMES_MOST)
    .map((cell) => {
      const title = [
        view.targets[cell.target]?.label ?? "",
        ...(varies((one) => one.workload) ? [view.workloads[cell.workload]?.label ?? ""] : []),
        ...(varies((one) => one.threads) ? [t("clients-count", { count: cell.threads })] : []),
        t("over-time"),
      ].join(" · ");
      return figure(title, {
        id: `events-${cell.id}`,
        label: t("labelled", { label: title, text: say(view.answer) }),
        height_px: "fill",
        option: (_, height) =>
          overTimeOption(cell, "throughput_per_s", stripHeight(shownTrials(cell).length, height)),
      });
    });
}

interface Row {
  cell: Cell;
  /** Its number in the charts. */
  number: number;
  event: EventSummary;
}

export function events(view: View): HTMLElement | null {
  const rows = view.cells.flatMap((cell) =>
    (cell.events ?? []).map((event, i): Row => ({ cell, number: i + 1, event })),
  );
  if (rows.length === 0) return null;
  const said = rows.map(({ event }) => h("li", {}, t("sentence", { text: say(event.says) })));
  return section(
    "events",
    t("events"),
    note(t("events-note")),
    h("ul", { class: "plain" }, ...said),
    effects(view, rows),
  );
}

function effects(view: View, rows: Row[]): HTMLElement {
  const label = ({ cell }: Row): string => view.targets[cell.target]?.label ?? "";
  const workload = ({ cell }: Row): string => view.workloads[cell.workload]?.label ?? "";
  const columns: Column<Row>[] = [
    { head: t("target"), value: label, show: (row) => link(row.cell, label(row)) },
    ...(new Set(rows.map(workload)).size > 1 ? [{ head: t("workload"), value: workload }] : []),
    { head: t("clients"), value: ({ cell }) => cell.threads },
    {
      head: t("events-event"),
      value: ({ event }) => event.event,
      show: ({ number, event }) =>
        h("span", {}, `${numbered(number)} `, h("code", {}, event.event)),
    },
    figures(rows, t("events-before"), ({ event }) => event.before_per_s),
    figures(rows, t("events-lowest"), ({ event }) => event.lowest_per_s),
    figures(rows, t("events-silent"), ({ event }) => event.silent_s),
    figures(rows, t("failover-back"), ({ event }) => event.back_s),
    figures(rows, t("events-after"), ({ event }) => event.after_per_s),
    figures(rows, t("events-lasted"), ({ event }) => event.lasted_s),
    figures(rows, t("events-errors"), ({ event }) => event.errors),
  ];
  return table({ caption: t("events"), captionHidden: true, columns, rows });
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
