import { describe, expect, it } from "vitest";
import {
  axisNumber,
  bytes,
  csvField,
  decimalsOf,
  decimalsOfAll,
  figure,
  fixed,
  moment,
  NOTHING,
  percent,
  ends,
  ratioEnds,
} from "./format";

describe("numbers as people read them", () => {
  it("group thousands and keep their decimals", () => {
    expect(fixed(1234567.891, 1)).toBe("1,234,567.9");
    expect(fixed(999, 0)).toBe("999");
    expect(fixed(-1234.5, 2)).toBe("-1,234.50");
    expect(fixed(-0.001, 1)).toBe("0.0");
  });
  it("show a figure with three significant digits", () => {
    expect([12105.2, 904.4, 99.97, 33.14, 8.314, 0.4567].map(figure)).toEqual([
      "12,105",
      "904",
      "100",
      "33.1",
      "8.31",
      "0.457",
    ]);
    expect([0.01234, 0.0004251, 0.0000004].map(figure)).toEqual(["0.0123", "0.000425", "0.000000"]);
    expect(figure(null)).toBe(NOTHING);
    expect(figure(0)).toBe("0");
  });
  it("of a column have the decimals of its greatest", () => {
    expect([[12.3, 2706.1], [0.0004, 0.62], [0, 0], []].map(decimalsOf)).toEqual([0, 3, 0, 0]);
  });
  it("of a column of latencies show its least with two digits", () => {
    expect([[8.06, 338.9], [64, 339], [0.42, 12], [], [0]].map(decimalsOfAll)).toEqual([
      1, 0, 2, 0, 0,
    ]);
  });
  it("give an interval by its ends, and nothing for a single repeat", () => {
    expect(ends({ low: 1210.4, high: 1402.1 })).toBe("[1,210, 1,402]");
    expect(ends({ low: 0, high: 1512 })).toBe("[0, 1,512]");
    expect(ends({ low: null, high: null })).toBe("");
  });
  it("do not print the ends of the interval of a ratio that says nothing", () => {
    expect(ratioEnds({ low: 0.913, high: 1.052 })).toBe("[0.91, 1.05]");
    expect(ratioEnds({ low: 0.0001, high: 10822 })).toBe("more than 100x either way");
    expect(ratioEnds({ low: null, high: null })).toBe(NOTHING);
  });
  it("have short labels on axes", () => {
    expect([0, 0.1, 0.30000000000000004, 1500, 2.5].map(axisNumber)).toEqual([
      "0",
      "0.1",
      "0.3",
      "1,500",
      "2.5",
    ]);
  });
  it("name bytes in binary units, shares in percent", () => {
    // The values of the test of messages::number::bytes.
    const said = [
      0,
      12,
      1000,
      1023,
      1024,
      1536 * 2 ** 20,
      12_345_678,
      2 ** 27,
      2 ** 30 - 1,
      2 ** 30,
    ];
    expect(said.map(bytes)).toEqual([
      "0 B",
      "12 B",
      "1,000 B",
      "1,023 B",
      "1 KiB",
      "1.5 GiB",
      "11.8 MiB",
      "128 MiB",
      "1 GiB",
      "1 GiB",
    ]);
    expect([1_340_000_000, 99_960_000 * 2 ** 10, 2 ** 64].map(bytes)).toEqual([
      "1.25 GiB",
      "95.3 GiB",
      "16,384 PiB",
    ]);
    expect(percent(0.114)).toBe("11.4 %");
    expect(percent(null)).toBe(NOTHING);
  });
  it("quote what CSV needs quoted", () => {
    expect(['a"b', "1,2", "x\ny", "plain"].map(csvField)).toEqual([
      '"a""b"',
      '"1,2"',
      '"x\ny"',
      "plain",
    ]);
  });
  it("shorten a moment to the minute", () => {
    expect(moment("2026-11-20T19:42:00.000Z")).toBe("2026-11-20 19:42 UTC");
  });
});
