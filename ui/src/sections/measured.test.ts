import { afterEach, describe, expect, it } from "vitest";
import { setLang } from "../i18n";
import type { View } from "../view";
import { pieces } from "./command";
import { measured, shortened, titleOf } from "./measured";

const view = {
  targets: [
    { label: "a", sandbox: true, server: { flavour: "mysql", version: "9.7.4-ubuntu" } },
    { label: "b", sandbox: true, server: { flavour: "mariadb", version: "10.11.19-MariaDB" } },
  ],
  workloads: [
    {
      label: "oltp_read_write",
      name: "oltp_read_write",
      options: { tables: "1", "table-size": "5000" },
    },
  ],
  cells: [1, 64].map((threads) => ({ threads, runs_planned: 3, trials: [] })),
  runs: [
    {
      started_at: "2026-11-22T08:15:01.000Z",
      time_s: 2,
      events: 0,
      rate_per_s: null,
      host: { cpus: 2, memory_bytes: 7.9 * 2 ** 30 },
    },
  ],
} as unknown as View;

describe("what was measured", () => {
  afterEach(() => setLang("en"));
  it("is one line: versions, rows, clients, repeats x seconds, machine, date", () => {
    expect(measured(view).replaceAll("\u00a0", " ")).toBe(
      "MySQL 9.7.4, MariaDB 10.11.19 · oltp_read_write, 1 table of 5,000 rows · 1 to 64 clients, 3 x 2 s · 2 CPUs, 8 GiB · 2026-11-22 08:15 UTC",
    );
    setLang("zh");
    expect(measured(view)).toContain("1 张表，5,000 行");
  });
});

describe("the title of the document", () => {
  it("has the verdict first and the date, without figures in brackets", () => {
    const sentence = "b is faster at 4 clients (1.34x [1.20, 1.49]); 2 cells failed.";
    expect(titleOf(sentence, "oltp_read_write: a, b", "2026-11-22T08:15:01Z")).toBe(
      "b is faster at 4 clients · oltp_read_write: a, b · 2026-11-22 · mydyno",
    );
    expect(titleOf("Not valid: the generator stood still", "x", null)).toBe(
      "Not valid: the generator stood still · x · mydyno",
    );
  });
  it("stays short", () => {
    expect([...shortened("word ".repeat(60))].length).toBeLessThanOrEqual(70);
  });
});

describe("a command", () => {
  it("is broken between its options, not between an option and its value", () => {
    expect(pieces("mydyno sweep oltp --target 'a=b' --seed=1 --threads 1,4")).toEqual([
      "mydyno",
      "sweep",
      "oltp",
      "--target 'a=b'",
      "--seed=1",
      "--threads 1,4",
    ]);
  });
});
