import { describe, expect, it } from "vitest";
import type { Cost, Explanation, PartChange } from "../view";
import { costColumns } from "./costs";
import { steps } from "./where";

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

describe("a waterfall", () => {
  const part = (id: string, base_ms: number, other_ms: number, named = false): PartChange => ({
    id,
    label: { en: id, zh: id },
    base_ms,
    other_ms,
    change_ms: { mean: other_ms - base_ms, low: null, high: null, n: 1 },
    named,
  });
  const all = [
    part("commit", 1, 4, true),
    part("small", 0.01, 0.02),
    part("unattributed", 0.01, 0),
    part("cpu", 5, 4.5),
    part("tiny", 0.02, 0.02),
  ];
  const one = {
    base_ms: 6.04,
    other_ms: 8.54,
    resources: all,
  } as unknown as Explanation;
  it("goes from one whole to the other, and puts small parts together", () => {
    const drawn = steps(one, all, "others");
    expect(drawn.map(({ part }) => part.id)).toEqual(["commit", "unattributed", "cpu", "others"]);
    expect(drawn[0]?.from_ms).toBe(6.04);
    drawn.slice(1).forEach((step, i) => expect(step.from_ms).toBe(drawn[i]?.to_ms));
    expect(drawn[drawn.length - 1]?.to_ms).toBeCloseTo(8.54);
  });
});
