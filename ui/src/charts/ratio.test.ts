import { describe, expect, it } from "vitest";
import { logAxis, ratioAxis } from "./axis";

describe("a logarithmic axis", () => {
  it("begins and ends at round numbers around the values", () => {
    expect(logAxis([2.2, 36])).toEqual({ min: 2, max: 50, ticks: [2, 5, 10, 20, 50] });
    expect(logAxis([0.05, 4000]).ticks).toEqual([0.01, 0.1, 1, 10, 100, 1000, 10000]);
    expect(logAxis([]).max).toBeGreaterThan(logAxis([]).min);
    const alone = logAxis([5]);
    expect(alone.min).toBeLessThan(5 + 1e-9);
    expect(alone.max).toBeGreaterThan(5 - 1e-9);
    expect(alone.max).toBeGreaterThan(alone.min);
  });
});

describe("an axis of ratios", () => {
  const cases: [number[], number[]][] = [
    [
      [1.02, 0.98],
      [0.95, 1.1],
    ],
    [
      [3.27, 1.1],
      [0.4, 8.4],
    ],
    [[0.1], [0.08, 0.12]],
    [[78564], [1, 1e9]],
    [[1], []],
    [
      [1.5, 1.2],
      [0.0001, 10822],
    ],
  ];
  it("has 1 and every point on it, and few ticks", () => {
    for (const [points, ends] of cases) {
      const { min, max, ticks } = ratioAxis(points, ends, 7);
      expect(ticks).toContain(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
      for (const value of [1, ...points]) expect(value > min && value < max).toBe(true);
    }
  });
  it("has ticks as far as its points go", () => {
    const { ticks, min } = ratioAxis([1.25, 0.36, 0.8], [], 10);
    expect(Math.min(...ticks)).toBeLessThan(0.6);
    expect(min).toBeLessThan(0.36);
  });
  it("is not stretched by an interval that says nothing", () => {
    const { max } = ratioAxis([1.5, 1.2], [0.0001, 10822], 7);
    expect(max).toBeLessThan(3);
  });
});
