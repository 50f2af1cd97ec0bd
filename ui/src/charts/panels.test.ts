import { describe, expect, it } from "vitest";
import type { Observed, Panel } from "../view";
import { bySize, captionOf, nearest, observedPanels, slots } from "./panels";

function line(
  id: string,
  panel: Panel,
  unit: string,
  ...values: (number | null)[]
): Observed["series"][number] {
  return { id, panel, unit, values, label: { en: id, zh: id } };
}

const ids = (lines: { id: string }[]): string[] => lines.map((l) => l.id);

describe("panels of what was seen", () => {
  const observed: Observed = {
    at_s: [1, 2],
    series: [
      line("redo", "disk", "MiB/s", 3, 4),
      line("server_cpu", "cpu", "%", 50, 60),
      line("fsyncs", "server", "/s", 400, 800),
      line("lock_waits", "server", "/s", 60, null),
      line("misses", "server", "/s", 14, 2),
      line("dirty", "pages", "MiB", 15, 33),
      line("history", "pages", "", 600, 700),
    ],
  };
  const panels = observedPanels(observed);
  it("hold every line once, and only lines of one unit share an axis", () => {
    expect(panels.map((p) => [p.key, ids(p.lines)])).toEqual([
      ["cpu", ["server_cpu"]],
      ["disk", ["redo"]],
      ["server", ["fsyncs", "lock_waits"]],
      ["server-2", ["misses"]],
      ["pages", ["dirty"]],
      ["pages-2", ["history"]],
    ]);
  });
  it("have a percent axis to 100, the others to a round number", () => {
    expect(panels.map((p) => p.max)).toEqual([100, 4, 800, 15, 40, 800]);
  });
  it("say their unit", () => {
    expect(panels.map(captionOf).slice(0, 3)).toEqual([
      "CPU, % of all CPUs",
      "Disks, redo log and network, MiB/s",
      "Server events, per s",
    ]);
    expect(panels.map(captionOf)[5]).toBe("History list length");
  });
  it("name their lines, but for one that the title names", () => {
    expect(panels.map((p) => p.lines.map((l) => l.label).join())).toEqual([
      "server_cpu",
      "redo",
      "fsyncs,lock_waits",
      "misses",
      "dirty",
      "",
    ]);
  });
  it("are none of a run that nobody watched", () => {
    expect(observedPanels(undefined)).toEqual([]);
  });
});

describe("lines of very different size", () => {
  it("get an axis of their own, in their order", () => {
    const of = (id: string, value: number): { id: string; label: string; values: number[] } => ({
      id,
      label: id,
      values: [value],
    });
    expect(bySize([of("a", 1), of("b", 100), of("c", 5)]).map(ids)).toEqual([["b", "c"], ["a"]]);
    expect(bySize([of("a", 0)]).map(ids)).toEqual([["a"]]);
    expect(bySize([])).toEqual([]);
  });
});

describe("colours of lines", () => {
  it("are the target's, then those of no target", () => {
    expect(slots(1, 2, 4, 8)).toEqual([1, 2, 3, 4]);
    expect(slots(0, 1, 3, 8)).toEqual([0, 1, 2]);
  });
  it("differ from the target's also where every colour is a target's", () => {
    expect(slots(9, 12, 3, 8)).toEqual([1, 0, 2]);
  });
});

describe("the reading at a second", () => {
  it("is the nearest one", () => {
    expect([0, 1.4, 1.6, 99].map((s) => nearest([1, 2, 3], s))).toEqual([0, 0, 1, 2]);
    expect(nearest([], 1)).toBe(0);
  });
});
