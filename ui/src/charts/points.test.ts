import { describe, expect, it } from "vitest";
import { likely } from "../sections/differences";
import type { Cell, ComparisonView, Trial, Variable, View } from "../view";
import { startDelays } from "./overtime";
import { areDots, pointsOf, pooled } from "./points";
import { isDecided } from "./ratio";
import { fileName, withColours } from "./save";
import { sparkPath } from "./spark";

const trial = (repeat: number, transactions: number, more: Partial<Trial> = {}): Trial =>
  ({ repeat, outcome: "completed", transactions, measured_s: 2, response: null, ...more }) as Trial;
const cell = (n: number, more: Partial<Cell> = {}): Cell =>
  ({
    target: 0,
    threads: 4,
    operations: [],
    totals: null,
    throughput_per_s: { mean: 100, low: 80, high: 120, n },
    response_p95_ms: { mean: 9, low: 8, high: 10, n },
    trials: Array.from({ length: n }, (_, i) => trial(i + 1, 200 + i)),
    ...more,
  }) as Cell;

describe("repeats", () => {
  it("are dots up to five, a band beyond", () => {
    expect([2, 3, 5].map((n) => areDots(pointsOf([cell(n)], 0, "throughput_per_s")))).toEqual([
      true,
      true,
      true,
    ]);
    expect([1, 6].map((n) => areDots(pointsOf([cell(n)], 0, "throughput_per_s")))).toEqual([
      false,
      false,
    ]);
  });
  it("that failed or were set aside are none", () => {
    const trials = [
      trial(1, 200),
      trial(2, 90, { outcome: "failed" }),
      trial(3, 10, { set_aside: [{ en: "x", zh: "x" }] }),
    ];
    expect(pointsOf([cell(3, { trials })], 0, "throughput_per_s")[0]?.repeats).toEqual([
      { repeat: 1, value: 100 },
    ]);
  });
});

describe("a percentile", () => {
  it("is that of all response times together, the same in charts and tables", () => {
    const totals = {
      transactions: 1,
      queries: 1,
      time_s: 1,
      response_avg_ms: 1,
      response_p95_ms: 9.7,
      reconnects: 0,
    };
    const one = cell(3, { totals });
    expect(pooled(one, "response_p95_ms")).toBe(9.7);
    expect(pointsOf([one], 0, "response_p95_ms")[0]?.estimate?.mean).toBe(9.7);
    expect(pooled(cell(3), "response_p95_ms")).toBe(9);
  });
});

describe("a point of the ratio", () => {
  it("is filled only where the data decide", () => {
    const verdicts: ComparisonView["verdict"][] = [
      "better",
      "worse",
      "same",
      "inconclusive",
      "single_run",
      "withheld",
    ];
    expect(verdicts.map((verdict) => isDecided({ verdict } as ComparisonView))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a chart as a file", () => {
  it("has colours instead of names of variables, and a plain name", () => {
    expect(
      withColours('fill="var(--t0)" style="stroke:var(--t0-ink)"', (name) => `<${name}>`),
    ).toBe('fill="<--t0>" style="stroke:<--t0-ink>"');
    expect(fileName("oltp_read_write · Throughput, tpmC")).toBe("oltp-read-write-throughput-tpmc");
    expect(fileName("吞吐量")).toBe("吞吐量");
  });
});

describe("a spark line", () => {
  it("has steps from zero, and nothing of two intervals", () => {
    expect(sparkPath([1, 2, 3], [0, 5, 10], 30, 20)).toBe(
      "M0.0 19.0L10.0 19.0L10.0 10.0L20.0 10.0L20.0 1.0L30.0 1.0".replace(
        "M0.0 19.0L",
        "M0.0 19.0L",
      ),
    );
    expect(sparkPath([1, 2], [1, 2], 30, 20)).toBe("");
  });
});

describe("the start delay of an open loop", () => {
  it("is the time that the backlog takes at the rate of completion, and unknown where nothing completes", () => {
    const series = {
      backlog: [0, 100, 50, 10],
      throughput_per_s: [200, 200, 0, 1000],
    } as Trial["series"];
    expect(startDelays({ series })).toEqual([0, 500, null, 10]);
  });
});

describe("variables that are likely to matter", () => {
  const view = (variables: Partial<Variable>[]): View => ({ variables }) as View;
  const one = (name: string, more: Partial<Variable>): Partial<Variable> => ({
    name,
    values: ["1", "2"],
    group: "memory",
    differs: true,
    ...more,
  });
  it("differ, every server has them, and not each is the default of its version", () => {
    const given = [
      one("a", { is_default: [true, false] }),
      one("b", { is_default: [true, true] }),
      one("c", { differs: false }),
      one("d", { values: ["1", null] }),
      one("e", { group: "other" }),
    ];
    expect(likely(view(given)).map((v) => v.name)).toEqual(["a"]);
  });
  it("are those that the program marks, where it does", () => {
    expect(
      likely(view([one("a", { matters: false }), one("b", { matters: true })])).map((v) => v.name),
    ).toEqual(["b"]);
  });
});
