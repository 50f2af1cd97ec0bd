// What a transaction cost the server, cell beside cell.

import { h } from "../dom";
import { decimalsOf, unitName } from "../format";
import { say, t } from "../i18n";
import { cellAnchor } from "../place";
import { type Column, table } from "../table";
import type { Cell, Cost, View } from "../view";
import { note, section } from "./section";

/** The costs that any cell has, in the order in which the cells list them. */
export function costColumns(cells: Pick<Cell, "costs">[]): Cost[] {
  const known = new Map<string, Cost>();
  for (const cell of cells)
    for (const cost of cell.costs ?? []) if (!known.has(cost.id)) known.set(cost.id, cost);
  return [...known.values()];
}

export function costs(view: View): HTMLElement | null {
  const rows = view.cells.filter((cell) => (cell.costs ?? []).length > 0);
  if (rows.length === 0) return null;
  const of = (cell: Cell, id: string): number | null =>
    cell.costs?.find((cost) => cost.id === id)?.per_transaction ?? null;
  const figures = costColumns(rows).map(({ id, label, unit }): Column<Cell> => ({
    head: unit === "" ? say(label) : t("with-unit", { what: say(label), unit: unitName(unit) }),
    value: (cell) => of(cell, id),
    decimals: decimalsOf(rows.map((cell) => of(cell, id) ?? 0)),
  }));
  const made = table<Cell>({
    caption: t("costs-over-cells"),
    captionHidden: true,
    rows,
    most: 24,
    columns: [
      {
        head: t("target"),
        value: (c) => view.targets[c.target]?.label ?? null,
        show: (c) =>
          h(
            "a",
            { href: `#${encodeURIComponent(cellAnchor(c.id))}` },
            view.targets[c.target]?.label ?? "",
          ),
      },
      ...(view.workloads.length > 1
        ? [{ head: t("workload"), value: (c: Cell) => view.workloads[c.workload]?.label ?? null }]
        : []),
      { head: t("clients"), value: (c) => c.threads },
      ...figures,
    ],
  });
  return section("costs", t("costs-over-cells"), note(t("costs-note")), made);
}
