import { describe, expect, it } from "vitest";
import { fitted, zoomOver } from "./zoom";

describe("a stretch of the time axis", () => {
  it("is put in order, kept within the axis, and rounded to what the axis can be read to", () => {
    expect(fitted([7.94, 3.21], 14)).toEqual([3.2, 7.9]);
    expect(fitted([-4, 7.1], 14)).toEqual([0, 7.1]);
    expect(fitted([101.4, 230.6], 300)).toEqual([101, 231]);
    expect(fitted([290.2, 400], 300)).toEqual([290.2, 300]);
  });
  it("is none if it is all, or nothing", () => {
    expect(fitted([0, 14], 14)).toBeNull();
    expect(fitted([5, 5.1], 14)).toBeNull();
    expect(fitted([Number.NaN, 5], 14)).toBeNull();
  });
  it("is told to all that watch it, until they no longer do", () => {
    const zoom = zoomOver(20);
    const seen: (number | null)[] = [];
    const stop = zoom.watch(() => seen.push(zoom.stretch()?.[0] ?? null));
    zoom.set([2, 6]);
    zoom.set(null);
    stop();
    zoom.set([3, 6]);
    expect(seen).toEqual([2, null]);
    expect(zoom.stretch()).toEqual([3, 6]);
  });
});
