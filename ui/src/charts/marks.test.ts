import { describe, expect, it } from "vitest";
import type { RunOverTime } from "../view";
import { changes, silences } from "./marks";

describe("marks over time", () => {
  const change = (at_s: number, ratio: number): RunOverTime["changes"][number] => ({
    at_s,
    ratio,
    before_per_s: 100,
    after_per_s: 100 * ratio,
    low: null,
    high: null,
  });
  const run: RunOverTime = {
    repeat: 1,
    silence: { stretches: [[50, 53]], found: true },
    changes: [change(60, 0.88), change(80, 1.01), change(90, 1.2)],
  };
  it("are at changes that are said, with their size", () => {
    expect(changes(run)).toEqual([
      { at_s: 60, label: "−12 %" },
      { at_s: 90, label: "+20 %" },
    ]);
    expect(changes(undefined)).toEqual([]);
  });
  it("shade silence only where it is no chance", () => {
    expect(silences(run)).toEqual([[50, 53]]);
    expect(silences({ ...run, silence: { stretches: [[50, 53]], found: false } })).toEqual([]);
    expect(silences({ ...run, silence: null })).toEqual([]);
  });
});
