// A cell's runs in slots: how the throughput held, tpmC and latency by type over time, and what a transaction costs
// against how many were done before.

import { costOption, legend, type Line, timelineHeight, timelineOption } from "../charts/timeline";
import type { Zoom } from "../charts/zoom";
import { type Child, h, lazyDetails } from "../dom";
import { fixed } from "../format";
import { joined, say, t } from "../i18n";
import { table } from "../table";
import type { Cell, Slot, Timeline } from "../view";
import { figure, note } from "./section";

const COST_PX = 260;

export function timelines(cell: Cell, zoom: Zoom | undefined): Child[] {
  const shown = cell.timelines ?? [];
  if (shown.length === 0) return [];
  const judged = shown.filter((timeline) => timeline.sustained !== null);
  return [
    ...judged.map((timeline) => sentence(timeline, shown.length)),
    ...overTime(cell, shown, zoom),
    ...judged.map((timeline) => cost(cell, timeline)),
  ];
}

function sentence(timeline: Timeline, runs: number): HTMLElement {
  const { says, slower } = timeline.sustained ?? { says: null, slower: null };
  const text = joined("join-clauses", [says, slower].filter((w) => w !== null).map(say));
  return h("p", {}, runs > 1 ? t("repeat-says", { n: timeline.repeat, text }) : text);
}

/** The types of transaction; the whole of them stands first. */
function kinds(cell: Cell, timeline: Timeline): { name: string; title: string; index: number }[] {
  return timeline.operations
    .map((name, index) => ({
      name,
      index,
      title: cell.tpcc?.types.find((type) => type.name === name)?.title ?? name,
    }))
    .slice(1);
}

/** New-Order transactions per minute in each slot. */
export function tpmcLine({ operations }: Timeline): Line {
  const newOrder = operations.indexOf("new_order");
  return {
    name: "tpmC",
    value: (slot) => (newOrder < 0 ? null : (slot.operations[newOrder]?.per_s ?? 0) * 60),
  };
}

function overTime(cell: Cell, shown: Timeline[], zoom: Zoom | undefined): Child[] {
  const first = shown[0];
  if (!first || !cell.tpcc) return [];
  const types = kinds(cell, first);
  const latency: Line[] = types.map(({ title, index }) => ({
    name: title,
    value: (slot) => slot.operations[index]?.p95_ms ?? null,
  }));
  const tpmc = tpmcLine(first);
  const drawn = (id: string, label: string, lines: Line[], unit: string): HTMLElement => {
    const made = figure(label, {
      id: `${id}-${cell.id}`,
      label: joined("join-phrases", [label, t("clients-count", { count: cell.threads })]),
      height_px: timelineHeight(shown),
      group: `time-${cell.id}`,
      zoom,
      option: () => timelineOption(shown, lines, unit),
    });
    if (lines.length > 1) made.querySelector("figcaption")?.after(legend(lines));
    return made;
  };
  return [
    h(
      "div",
      { class: "multiples" },
      drawn("tpmc-time", t("tpmc-over-time"), [tpmc], "tpmC"),
      drawn("types-time", t("types-over-time"), latency, t("ms")),
    ),
    note(t("slots-note", { seconds: fixed(first.slot_s, first.slot_s < 10 ? 1 : 0) })),
    twin(shown, [tpmc, ...latency]),
  ];
}

/** The table twin. */
function twin(shown: Timeline[], lines: Line[]): HTMLElement {
  interface Row {
    run: number;
    slot: Slot;
  }
  return lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table<Row>({
      caption: t("types-over-time"),
      rows: shown.flatMap((timeline) =>
        timeline.slots.map((slot) => ({ run: timeline.repeat, slot })),
      ),
      columns: [
        { head: t("repeat"), value: (r) => r.run },
        { head: t("second"), value: (r) => r.slot.end_s, decimals: 1 },
        { head: t("transactions-per-s"), value: (r) => r.slot.throughput_per_s, decimals: 1 },
        ...lines.map((line, i) => ({
          head: i === 0 ? line.name : t("in-ms", { what: `${line.name} p95` }),
          value: (r: Row) => line.value(r.slot),
          decimals: i === 0 ? 0 : 1,
        })),
      ],
    }),
  ]);
}

function cost(cell: Cell, timeline: Timeline): HTMLElement {
  const label = t("cost-over-work");
  return figure(t("in-repeat", { text: label, n: timeline.repeat }), {
    id: `cost-${timeline.repeat}-${cell.id}`,
    label: joined("join-phrases", [label, t("clients-count", { count: cell.threads })]),
    height_px: COST_PX,
    option: () => costOption(timeline),
  });
}
