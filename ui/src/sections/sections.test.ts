import { describe, expect, it } from "vitest";
import type { Cost } from "../view";
import { costColumns } from "./costs";

describe("costs over cells", () => {
  const cost = (id: string): Cost => ({
    id,
    label: { en: id, zh: id },
    unit: "",
    per_transaction: 1,
  });
  it("have a column for each cost that any cell has", () => {
    const cells = [
      { costs: [cost("cpu"), cost("redo")] },
      {},
      { costs: [cost("cpu"), cost("binlog")] },
    ];
    expect(costColumns(cells).map((c) => c.id)).toEqual(["cpu", "redo", "binlog"]);
  });
});
