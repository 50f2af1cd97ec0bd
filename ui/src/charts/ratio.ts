// The ratio of each target to the first against the number of with its interval: what the verdicts are about.

import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { figure, ratioEnds } from "../format";
import { t } from "../i18n";
import type { ComparisonView, View } from "../view";
import { apart, fromLog2, log2, ratioAxis } from "./axis";
import { AXIS, COLOUR, type ChartOption, FONT, style, TOOLTIP } from "./base";
import { axisPointer, clientsAxis } from "./concurrency";
import { type End, endLabel, endRoom, LABEL_EDGE_PX } from "./ends";

const TOP_PX = 30;
const BOTTOM_PX = 54;
/** Between points of several targets at one number of clients. */
const BESIDE_PX = 9;
const CAP_PX = 4;
/** Room of a tick's label. */
const TICK_PX = 22;

/** Comparisons of a workload, those with a ratio. */
export function comparisonsOf(view: View, workload: number): ComparisonView[] {
  return view.comparisons.filter(
    (c) => c.workload === workload && c.throughput_ratio > 0 && Number.isFinite(c.throughput_ratio),
  );
}

/** Whether the interval and the corrections for several comparisons leave no doubt. */
export function isDecided({ verdict }: ComparisonView): boolean {
  return verdict === "better" || verdict === "worse" || verdict === "same";
}

export function ratioOption(
  view: View,
  workload: number,
  width_px: number,
  height_px: number,
): ChartOption {
  const all = comparisonsOf(view, workload);
  const others = [...new Set(all.map((c) => c.other))].sort((a, b) => a - b);
  const threads = [
    ...new Set(view.cells.filter((c) => c.workload === workload).map((c) => c.threads)),
  ].sort((a, b) => a - b);
  const axis = ratioAxis(
    all.map((c) => c.throughput_ratio),
    all.flatMap((c) => (c.low === null || c.high === null ? [] : [c.low, c.high])),
    Math.max(3, Math.floor((height_px - TOP_PX - BOTTOM_PX) / TICK_PX)),
  );
  const [min, max] = [Math.log(axis.min), Math.log(axis.max)];
  const curves = others.map((other) =>
    all.filter((c) => c.other === other).sort((a, b) => a.threads - b.threads),
  );
  const ends = curves.map((own): End | null => {
    const last = own[own.length - 1];
    return last
      ? { x: log2(last.threads), height: Math.log(last.throughput_ratio), note: "" }
      : null;
  });
  const labels = others.map((other) => ({ label: view.targets[other]?.label ?? "", note: "" }));
  const right =
    others.length === 0 ? 60 : endRoom(labels, width_px) + ((others.length - 1) / 2) * BESIDE_PX;
  const heights = ends.map(
    (end) => ((max - (end?.height ?? 0)) / (max - min)) * (height_px - TOP_PX - BOTTOM_PX),
  );
  const moved = apart(heights, 17);
  const beside = (i: number): number => (i - (others.length - 1) / 2) * BESIDE_PX;
  const ticks = axis.ticks.map(Math.log);
  return {
    animation: false,
    grid: { left: 8, right, top: TOP_PX, bottom: 26, containLabel: true },
    tooltip: {
      ...TOOLTIP,
      trigger: "axis",
      axisPointer: axisPointer(),
      formatter: (p) => hover(view, all, p),
    },
    xAxis: clientsAxis(threads, width_px - right - 60),
    yAxis: {
      ...AXIS,
      type: "value",
      min,
      max,
      name: t("ratio-axis", { base: view.targets[all[0]?.base ?? 0]?.label ?? "" }),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -24] },
      axisLine: { show: false },
      axisTick: { show: false, customValues: ticks },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: {
        ...FONT,
        customValues: ticks,
        formatter: (v: number) => `${Number(Math.exp(v).toPrecision(v < 0 ? 2 : 3))}x`,
      },
    },
    series: [
      even(),
      ...others.flatMap((other, i) => [
        intervals(curves[i] ?? [], other, beside(i), [min, max]),
        points(view, curves[i] ?? [], other, beside(i)),
        endLabel(ends[i] ?? null, other, labels[i]?.label ?? "", {
          shift_px: (moved[i] ?? 0) - (heights[i] ?? 0),
          width_px: right - LABEL_EDGE_PX,
          away_px: beside(others.length - 1),
        }),
      ]),
    ],
  };
}

/** The line at 1. */
function even(): LineSeriesOption {
  return {
    type: "line",
    name: "even",
    silent: true,
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: COLOUR.text, width: 1.2, type: "solid" },
      label: { show: false },
      data: [{ yAxis: 0 }],
    },
  };
}

function intervals(
  own: ComparisonView[],
  other: number,
  beside_px: number,
  [min, max]: [number, number],
): CustomSeriesOption {
  return {
    type: "custom",
    name: `interval-${other}`,
    silent: true,
    z: 2,
    tooltip: { show: false },
    data: own.map((_, i) => [i]),
    renderItem: (params, api) => {
      const one = own[params.dataIndex];
      if (one?.low == null || one.high == null || one.high <= 0) return null;
      const [low, high] = [
        one.low > 0 ? Math.log(one.low) : Number.NEGATIVE_INFINITY,
        Math.log(one.high),
      ];
      const [x0 = 0, top = 0] = api.coord([log2(one.threads), Math.min(high, max)]);
      const [, bottom = 0] = api.coord([log2(one.threads), Math.max(low, min)]);
      const x = x0 + beside_px;
      const line = (x1: number, y1: number, x2: number, y2: number): object => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: style(other).colour, lineWidth: 1.4 },
      });
      // An interval that goes on beyond the axis ends in an arrow, not in a cap.
      const end = (y: number, cut: boolean, inwards: number): object[] =>
        cut
          ? [line(x - CAP_PX, y + inwards * 5, x, y), line(x + CAP_PX, y + inwards * 5, x, y)]
          : [line(x - CAP_PX, y, x + CAP_PX, y)];
      const children = [
        line(x, top, x, bottom),
        ...end(top, high > max, 1),
        ...end(bottom, low < min, -1),
      ];
      return { type: "group", children } as ReturnType<
        NonNullable<CustomSeriesOption["renderItem"]>
      >;
    },
  };
}

/** Filled where the data decide, open where they do not. */
function points(
  view: View,
  own: ComparisonView[],
  other: number,
  beside_px: number,
): ScatterSeriesOption {
  const { colour, symbol } = style(other);
  const open = { color: COLOUR.page, borderColor: colour, borderWidth: 1.8 };
  return {
    type: "scatter",
    name: `ratio-${other}`,
    z: 3,
    symbol,
    symbolSize: own.length > 12 ? 7 : 10,
    symbolOffset: [beside_px, 0],
    itemStyle: { color: colour, opacity: 1 },
    emphasis: { disabled: true },
    data: own.map((c) => {
      const cell = view.cells.find(
        (one) => one.workload === c.workload && one.target === c.other && one.threads === c.threads,
      );
      return {
        value: [log2(c.threads), Math.log(c.throughput_ratio)],
        ...(cell ? { cell: cell.id } : {}),
        ...(isDecided(c) ? {} : { itemStyle: open }),
      };
    }),
  };
}

function hover(view: View, all: ComparisonView[], params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const threads = fromLog2(Number((list[0] as { axisValue?: number } | undefined)?.axisValue ?? 0));
  const rows = all.filter((c) => c.threads === threads);
  const label = (target: number): string => view.targets[target]?.label ?? "";
  const row = (c: ComparisonView): HTMLElement =>
    h(
      "tr",
      {},
      h(
        "th",
        {},
        h("i", { class: "swatch", style: `background:${style(c.other).colour}` }),
        `${label(c.other)} / ${label(c.base)}`,
      ),
      h("td", { class: "number" }, `${figure(c.throughput_ratio)}x`),
      h("td", { class: "number" }, ratioEnds(c)),
      h("td", {}, t("verdict-is", { verdict: c.verdict })),
    );
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, t("clients-count", { count: threads })),
    h("table", {}, ...rows.map(row)),
  );
}
