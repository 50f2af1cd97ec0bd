import { describe, expect, it } from "vitest";
import { type Box, besidePoints } from "./beside";

const room: Box = { x: 0, y: 0, width: 400, height: 200 };
const size = { widths: [60], height: 16 };

describe("names beside points", () => {
  it("stand to the right, and at the right edge to the left", () => {
    const [first, second] = besidePoints(
      [
        { x: 100, y: 100, ...size },
        { x: 390, y: 50, ...size },
      ],
      [],
      room,
    );
    expect(first?.x).toBeGreaterThan(100);
    expect(second?.x).toBeLessThan(330);
  });
  it("cover neither points nor each other", () => {
    const points = [0, 1, 2, 3, 4, 5].map((i) => ({ x: 200 + 12 * i, y: 100, ...size }));
    const taken = points.map(({ x, y }) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
    const all = [...besidePoints(points, taken, room), ...taken];
    all.forEach((a, i) => {
      all.slice(i + 1).forEach((b) => {
        const [left, right] = [a?.x ?? NaN, b?.x ?? NaN];
        const isBeside = left + (a?.width ?? 0) <= right || right + (b?.width ?? 0) <= left;
        const isApart =
          (a?.y ?? NaN) + (a?.height ?? 0) <= (b?.y ?? NaN) ||
          (b?.y ?? NaN) + (b?.height ?? 0) <= (a?.y ?? NaN);
        expect(isBeside || isApart).toBe(true);
      });
    });
  });
  it("are shorter where there is no room for all of it", () => {
    const narrow: Box = { x: 0, y: 0, width: 100, height: 200 };
    const [box] = besidePoints([{ x: 10, y: 100, widths: [120, 60], height: 16 }], [], narrow);
    expect(box?.width).toBe(60);
  });
  it("are left out where there is no room", () => {
    const full = [{ ...room }];
    expect(besidePoints([{ x: 100, y: 100, ...size }], full, room)).toEqual([null]);
  });
});
