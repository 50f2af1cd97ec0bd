import { describe, expect, it } from "vitest";
import { joined, steps } from "./steps";

describe("means over time", () => {
  it("stand from the beginning to the end of their interval", () => {
    expect(steps([1, 2, 3], [10, 20, 30])).toEqual([
      [0, 10],
      [1, 10],
      [1, 20],
      [2, 20],
      [2, 30],
      [3, 30],
    ]);
  });
  it("of a long interval are as long as it is, and slivers of late ticks are left out", () => {
    const drawn = steps([1, 2, 8, 8.0002, 8.0004, 9, 10], [100, 100, 15, 0, 0, 100, 100]);
    expect(drawn).toContainEqual([2, 15]);
    expect(drawn).toContainEqual([8, 15]);
    expect(drawn.filter(([, v]) => v === 0)).toEqual([]);
  });
  it("are broken where there is no value", () => {
    expect(steps([1, 2, 3], [10, null, 30])).toEqual([
      [0, 10],
      [1, 10],
      [1, "-"],
      [2, 30],
      [3, 30],
    ]);
  });
  it("of a run that begins with its window do not reach back to zero", () => {
    expect(steps([61, 62], [5, 5])[0]).toEqual([60, 5]);
  });
});

describe("readings of a moment", () => {
  it("are joined, but not across a hole", () => {
    expect(joined([1, 2, 7, 8], [1, 1, 2, 2])).toEqual([
      [1, 1],
      [2, 1],
      [4.5, "-"],
      [7, 2],
      [8, 2],
    ]);
  });
});
