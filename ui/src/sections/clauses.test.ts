import { describe, expect, it } from "vitest";
import { clauses, firstSentence } from "./clauses";

describe("a sentence of the view", () => {
  it("is taken apart at semicolons and full stops, but not within brackets", () => {
    expect(clauses("a used 90 % (all 3 trials, worst in 2; see below); b is short")).toEqual([
      "a used 90 % (all 3 trials, worst in 2; see below)",
      "b is short",
    ]);
    expect(clauses("x: 879 transactions/s [877, 881], p95 25.3 ms.")).toEqual([
      "x: 879 transactions/s [877, 881], p95 25.3 ms.",
      "",
    ]);
    expect(clauses("甲更快（1.2 倍；见下）；乙失败。")).toEqual([
      "甲更快（1.2 倍；见下）",
      "乙失败。",
    ]);
    expect(clauses("2.2: no interval. 2.3: none.")).toEqual(["2.2: no interval", "2.3: none."]);
  });
  it("gives its first sentence, semicolons included", () => {
    expect(firstSentence("stood still for 5.0 s; it was stopped. Run it again.")).toBe(
      "stood still for 5.0 s; it was stopped",
    );
    expect(firstSentence("发压端停顿 5.0 秒。请重新运行。")).toBe("发压端停顿 5.0 秒");
  });
});
