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
    p_value: 0.01,
  });
  const silence = { stretches: [[50, 53]], found: true };
  const run = {
    repeat: 1,
    silence,
    changes: [change(60, 0.88), change(80, 1.01), change(90, 1.2)],
  } as unknown as RunOverTime;
  it("are at changes that are said, with their size", () => {
    expect(changes(run)).toEqual([
      { at_s: 60, label: "−12 %" },
      { at_s: 90, label: "+20 %" },
    ]);
    expect(changes(undefined)).toEqual([]);
  });
  it("shade silence only where it is no chance", () => {
    expect(silences(run)).toEqual([[50, 53]]);
    const chance = { ...silence, found: false } as RunOverTime["silence"];
    expect(silences({ ...run, silence: chance })).toEqual([]);
    expect(silences({ ...run, silence: null })).toEqual([]);
  });
});
