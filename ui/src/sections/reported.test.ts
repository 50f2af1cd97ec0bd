import { afterEach, describe, expect, it } from "vitest";
import { setLang } from "../i18n";
import { toCsv } from "../table";
import type { Cell, StatedRow, View } from "../view";
import { columnsOf, rowsOf } from "./reported";

const nothing = {
  min_ms: null,
  avg_ms: null,
  p50_ms: null,
  p90_ms: null,
  p95_ms: null,
  p99_ms: null,
  p999_ms: null,
  max_ms: null,
};
const stated = (name: string, transactions: number, p95_ms: number | null): StatedRow => ({
  name,
  transactions,
  errors: null,
  per_minute: transactions / 2,
  response: { ...nothing, p95_ms },
});
const cell = (target: number, rows: StatedRow[]): Cell =>
  ({ target, threads: 16, trials: [{ repeat: 1, stated: rows }] }) as unknown as Cell;
const view = { targets: [{ label: "a" }, { label: "b" }] } as View;
const csv = (cells: Cell[]): string[] => {
  const rows = rowsOf(cells);
  return toCsv({ columns: columnsOf(view, rows), rows })
    .trim()
    .split("\n");
};

describe("figures that a tool reported", () => {
  afterEach(() => setLang("en"));
  it("have a row for each type, and no column for what was not reported", () => {
    const rows = [stated("transaction", 240, null), stated("New-Order", 108, 33.6)];
    expect(csv([cell(0, rows)])).toEqual([
      'type,count,per minute,"p95, ms"',
      "all transactions,240,120,",
      "New-Order,108,54,33.6",
    ]);
  });
  it("name the target where there are several", () => {
    setLang("zh");
    const one = [stated("transaction", 240, 5)];
    expect(csv([cell(0, one), cell(1, one)])).toEqual([
      "类型,目标,次数,每分钟,p95（毫秒）",
      "全部事务,a,240,120,5",
      "全部事务,b,240,120,5",
    ]);
  });
  it("are none where mydyno measured itself", () => {
    expect(rowsOf([{ trials: [{}] } as unknown as Cell])).toEqual([]);
  });
});
