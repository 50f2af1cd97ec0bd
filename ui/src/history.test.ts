import { describe, expect, it } from "vitest";
import { levels, range } from "./history";
import type { HistoryLine } from "./view";

function series(means: number[], shifts: number[] = []): HistoryLine {
  const words = { en: "", zh: "" };
  const points = means.map((mean, recording) => ({ recording, mean, low: null, high: null, n: 1 }));
  const found = shifts.map((point) => ({
    recording: point,
    point,
    mean_before: 0,
    mean_after: 0,
    p_value: 0.01,
  }));
  return {
    label: words,
    target: "",
    workload: "",
    threads: 1,
    metric: "",
    points,
    left_out: [],
    shifts: found,
    changed: [],
    too_short: null,
    latest: null,
    untold: null,
  };
}

describe("a history", () => {
  it("has a level before the first change-point and after each", () => {
    expect(levels(series([10, 12, 6, 6, 3], [2, 4]))).toEqual([
      { from: 0, to: 1, mean: 11 },
      { from: 2, to: 3, mean: 6 },
      { from: 4, to: 4, mean: 3 },
    ]);
    expect(levels(series([]))).toEqual([]);
  });
  it("is shown from zero unless that hides what it is about", () => {
    expect(range(series([100, 40]))[0]).toBe(0);
    const [low, high] = range(series([1000, 1010, 900]));
    expect(low).toBeGreaterThan(500);
    expect(low).toBeLessThan(900);
    expect(high).toBeGreaterThan(1010);
    expect(range(series([5, 5]))[1]).toBeGreaterThan(5);
    expect(range(series([]))).toEqual([0, 1, 1]);
  });
});
