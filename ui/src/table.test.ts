import { describe, expect, it } from "vitest";
import { sorted, toCsv } from "./table";

describe("tables", () => {
  const rows = [
    { n: 16, name: "b" },
    { n: 2, name: "a" },
    { n: null, name: "c" },
  ];
  it("sort numbers as numbers, with empty ones last whichever way", () => {
    expect(sorted(rows, (r) => r.n, 1).map((r) => r.n)).toEqual([2, 16, null]);
    expect(sorted(rows, (r) => r.n, -1).map((r) => r.n)).toEqual([16, 2, null]);
    expect(sorted(rows, (r) => r.name, -1).map((r) => r.name)).toEqual(["c", "b", "a"]);
  });
  it("are copied with unrounded figures", () => {
    const columns = [
      { head: "name, short", value: (r: (typeof rows)[number]) => r.name },
      {
        head: "n",
        value: (r: (typeof rows)[number]) => (r.n === null ? null : r.n / 3),
        decimals: 1,
      },
    ];
    expect(toCsv({ columns, rows: rows.slice(0, 1) })).toBe(
      '"name, short",n\nb,5.333333333333333\n',
    );
  });
});
