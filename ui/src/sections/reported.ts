// What another tool reported of its trials: all transactions, and each type of them. What it did not report has no column.

import { h } from "../dom";
import { decimalsOfAll } from "../format";
import { t } from "../i18n";
import { table, type Column } from "../table";
import type { Cell, StatedRow, Trial, View } from "../view";

interface Row {
  cell: Cell;
  trial: Trial;
  stated: StatedRow;
}

/** Rows that are shown without being asked for: two cells of TPC-C. */
const MOST = 12;

type Figure = (stated: StatedRow) => number | null;

/** Figures by their heading, with the decimals that their column needs. */
function figures(): [string, Figure, "count" | "figure"][] {
  const ms = (what: string, pick: Figure): [string, Figure, "figure"] => [
    t("in-ms", { what }),
    pick,
    "figure",
  ];
  return [
    [t("count"), (s) => s.transactions, "count"],
    [t("errors-count"), (s) => s.errors, "count"],
    [t("per-minute"), (s) => s.per_minute, "count"],
    ms(t("minimum"), (s) => s.response.min_ms),
    ms(t("average"), (s) => s.response.avg_ms),
    ms("p50", (s) => s.response.p50_ms),
    ms("p90", (s) => s.response.p90_ms),
    ms("p95", (s) => s.response.p95_ms),
    ms("p99", (s) => s.response.p99_ms),
    ms("p99.9", (s) => s.response.p999_ms),
    ms(t("maximum"), (s) => s.response.max_ms),
  ];
}

/** The figures of the trials of these cells; nothing of cells that mydyno measured itself. */
export function reported(view: View, cells: Cell[]): HTMLElement | null {
  const rows = rowsOf(cells);
  if (rows.length === 0) return null;
  return table<Row>({ caption: t("reported"), rows, most: MOST, columns: columnsOf(view, rows) });
}

export function rowsOf(cells: Cell[]): Row[] {
  return cells.flatMap((cell) =>
    cell.trials.flatMap((trial) => (trial.stated ?? []).map((stated) => ({ cell, trial, stated }))),
  );
}

/** Only columns that tell rows apart or hold a figure. */
export function columnsOf(view: { targets: { label: string }[] }, rows: Row[]): Column<Row>[] {
  const several = (pick: (row: Row) => number): boolean => new Set(rows.map(pick)).size > 1;
  const name = ({ stated }: Row): string =>
    stated.name === "transaction" ? t("all-types") : stated.name;
  const places: (Column<Row> | false)[] = [
    // Names such as New-Order stay in one line.
    {
      head: t("type"),
      value: name,
      show: (r) => h("span", { class: "option" }, name(r)),
    },
    several((r) => r.cell.target) && {
      head: t("target"),
      value: (r) => view.targets[r.cell.target]?.label ?? null,
    },
    several((r) => r.cell.threads) && { head: t("clients"), value: (r) => r.cell.threads },
    several((r) => r.trial.repeat) && { head: t("repeat"), value: (r) => r.trial.repeat },
  ];
  const known = figures().filter(([, pick]) => rows.some(({ stated }) => pick(stated) !== null));
  return [
    ...places.filter((column) => column !== false),
    ...known.map(([head, pick, kind]): Column<Row> => {
      const values = rows.map(({ stated }) => pick(stated) ?? 0);
      return {
        head,
        value: ({ stated }) => pick(stated),
        decimals: kind === "count" ? 0 : decimalsOfAll(values),
      };
    }),
  ];
}
