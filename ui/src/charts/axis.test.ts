import { describe, expect, it } from "vitest";
import { apart, fromLog2, log2, niceMax, nines, ninesOf, ninesTicks, spacedTicks } from "./axis";

describe("the axis of concurrency", () => {
  it("finds back the number of clients", () => {
    for (const threads of [1, 3, 24, 192, 1024, 10000])
      expect(fromLog2(log2(threads))).toBe(threads);
  });
  it("labels every measured value where there is room", () => {
    const positions = [1, 2, 4, 8].map(log2);
    expect(spacedTicks(positions, 400, 26)).toEqual(positions);
  });
  it("keeps the first and the last where there is not", () => {
    const positions = Array.from({ length: 25 }, (_, i) => log2((i + 1) * 8));
    const kept = spacedTicks(positions, 300, 26);
    expect(kept.length).toBeLessThan(positions.length);
    expect([kept[0], kept[kept.length - 1]]).toEqual([positions[0], positions[24]]);
  });
  it("takes one value or none", () => {
    expect(spacedTicks([3], 300, 26)).toEqual([3]);
    expect(spacedTicks([], 300, 26)).toEqual([]);
  });
});

describe("the axis of percentiles", () => {
  it("gives each nine the same room", () => {
    expect([0, 90, 99, 99.9].map((p) => Number(nines(p).toFixed(6)))).toEqual([0, 1, 2, 3]);
  });
  it("puts the maximum a little beyond the last percentile", () => {
    const positions = ninesOf([0, 90, 99, 100]);
    expect(positions[3]).toBeCloseTo(2.3);
  });
  it("has no ticks beyond its end", () => {
    expect(ninesTicks(2).map((tick) => tick.label)).toEqual(["0", "50", "90", "99"]);
  });
});

describe("the value axis", () => {
  it("ends at a round number not below the greatest value", () => {
    expect([0, 0.7, 935, 1000, 1001, 17582].map(niceMax)).toEqual([
      1, 0.8, 1000, 1000, 1200, 20000,
    ]);
  });
});

describe("labels at the ends of curves", () => {
  it("move apart, in their order, and no further than needed", () => {
    expect(apart([100, 200], 17)).toEqual([100, 200]);
    const moved = apart([100, 100, 104], 16);
    const sorted = [...moved].sort((a, b) => a - b);
    expect((sorted[1] ?? 0) - (sorted[0] ?? 0)).toBeGreaterThanOrEqual(15.9);
    expect((sorted[2] ?? 0) - (sorted[1] ?? 0)).toBeGreaterThanOrEqual(15.9);
    expect(moved[2]).toBe(Math.max(...moved));
  });
});
