// A metric against the rate that was offered: the rates that a search tried, the bound that must hold, the capacity with its interval.

import type { LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure } from "../format";
import { joined, say, t } from "../i18n";
import type { Capacity, ConditionView, RateTried, View } from "../view";
import { apart, logAxis, niceMax } from "./axis";
import { AXIS, COLOUR, CROSS, type ChartOption, FONT, style, TOOLTIP } from "./base";
import { axisPointer } from "./concurrency";
import { type End, endLabel, endRoom, LABEL_EDGE_PX } from "./ends";

const TOP_PX = 30;
const BOTTOM_PX = 54;
/** Rates below this share of the highest one are left of where something happens. */
const LEAST = 0.2;

/** What a chart shows: a condition by its position, or p95 where there is none. */
export type Shown = number | "p95";

interface Point {
  rate: RateTried;
  value: number;
}

function valueOf(rate: RateTried, shown: Shown): number | null {
  return shown === "p95" ? rate.p95_ms : (rate.values[shown] ?? null);
}

function pointsOf(capacity: Capacity, shown: Shown, from: number): Point[] {
  return capacity.rates.flatMap((rate) => {
    const value = valueOf(rate, shown);
    return value === null || rate.per_s < from ? [] : [{ rate, value }];
  });
}

/** The capacities of one workload, a curve for each target. */
export function capacityOption(
  view: View,
  capacities: Capacity[],
  shown: Shown,
  width_px: number,
  height_px: number,
): ChartOption {
  const condition = shown === "p95" ? null : (capacities[0]?.conditions[shown] ?? null);
  const highest = Math.max(...capacities.flatMap((one) => one.rates.map((rate) => rate.per_s)));
  const lowest = Math.min(...capacities.map((one) => one.low_per_s ?? highest));
  const from = Math.min(highest, lowest) * LEAST;
  const curves = capacities.map((one) => pointsOf(one, shown, from));
  const values = curves.flat().map((point) => point.value);
  // Room above the bound for its name.
  const bounds = condition ? [condition.bound, condition.bound * 1.15] : [];
  const positive = [...values, ...bounds].filter((value) => value > 0);
  const { min, max, ticks } = logAxis(positive);
  const at = (value: number): number => Math.log10(Math.max(value, min));
  const ends = curves.map((points): End | null => {
    const last = points[points.length - 1];
    return last ? { x: last.rate.per_s, height: at(last.value), note: "" } : null;
  });
  const targets = capacities.map((one) => view.targets.findIndex((x) => x.label === one.target));
  const right = endRoom(
    capacities.map((one) => ({ label: one.target, note: "" })),
    width_px,
  );
  const heights = ends.map(
    (end) =>
      ((at(max) - (end?.height ?? 0)) / (at(max) - at(min))) * (height_px - TOP_PX - BOTTOM_PX),
  );
  const moved = apart(heights, 17);
  const unit = condition?.unit ?? "ms";
  return {
    animation: false,
    grid: { left: 8, right, top: TOP_PX, bottom: 26, containLabel: true },
    tooltip: {
      ...TOOLTIP,
      trigger: "item",
      axisPointer: axisPointer(),
      formatter: (p) => hover(capacities, curves, unit, p),
    },
    xAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: niceMax(highest),
      name: t("offered-axis"),
      nameLocation: "middle",
      nameGap: 26,
      axisLabel: { ...FONT, formatter: (v: number) => axisNumber(v) },
    },
    yAxis: {
      ...AXIS,
      type: "value",
      min: at(min),
      max: at(max),
      name: t("log-axis", { unit }),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -24] },
      axisLine: { show: false },
      axisTick: { show: false, customValues: ticks.map(at) },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: {
        ...FONT,
        customValues: ticks.map(at),
        formatter: (v: number) => axisNumber(10 ** v),
      },
    },
    series: [
      ...(condition ? [bound(at(condition.bound), condition.text)] : []),
      ...capacities.flatMap((capacity, i) => [
        interval(capacity, targets[i] ?? 0),
        line(curves[i] ?? [], targets[i] ?? 0, at),
        marks(curves[i] ?? [], i, targets[i] ?? 0, at, condition, true),
        marks(curves[i] ?? [], i, targets[i] ?? 0, at, condition, false),
        endLabel(ends[i] ?? null, targets[i] ?? 0, capacity.target, {
          shift_px: (moved[i] ?? 0) - (heights[i] ?? 0),
          width_px: right - LABEL_EDGE_PX,
        }),
      ]),
    ],
  };
}

function bound(height: number, text: string): LineSeriesOption {
  return {
    type: "line",
    name: "bound",
    silent: true,
    z: 1,
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: COLOUR.text, width: 1.2, type: [4, 3] },
      label: { ...FONT, position: "insideStartTop", formatter: text },
      data: [{ yAxis: height }],
    },
  };
}

/** Where the capacity lies: a line with its interval as a band. */
function interval(capacity: Capacity, target: number): LineSeriesOption {
  const { per_s, low_per_s, high_per_s } = capacity;
  const known = per_s !== null && low_per_s !== null && high_per_s !== null;
  return {
    type: "line",
    name: `capacity-${target}`,
    silent: true,
    z: 0,
    data: [],
    ...(known
      ? {
          markArea: {
            silent: true,
            itemStyle: { color: style(target).colour, opacity: 0.18 },
            data: [[{ xAxis: low_per_s }, { xAxis: high_per_s }]],
          },
          markLine: {
            silent: true,
            symbol: "none",
            animation: false,
            lineStyle: { color: style(target).colour, width: 1.2, type: "solid" },
            label: { ...FONT, position: "end", formatter: figure(per_s) },
            data: [{ xAxis: per_s }],
          },
        }
      : {}),
  };
}

function line(points: Point[], target: number, at: (value: number) => number): LineSeriesOption {
  const { colour, dash } = style(target);
  return {
    type: "line",
    name: `line-${target}`,
    silent: true,
    z: 2,
    showSymbol: false,
    lineStyle: { color: colour, width: 1, type: dash, opacity: 0.7 },
    tooltip: { show: false },
    data: points.map(({ rate, value }) => [rate.per_s, at(value)]),
  };
}

/** Whether a point is on the right side: of the bound, or where there is none whether everything held in most trials. */
function isHeld({ rate, value }: Point, condition: ConditionView | null): boolean {
  if (condition === null) return rate.held * 2 > rate.trials;
  return condition.text.includes("<") ? value < condition.bound : value > condition.bound;
}

/** Points on the right side are symbols, the others crosses. */
function marks(
  points: Point[],
  capacity: number,
  target: number,
  at: (value: number) => number,
  condition: ConditionView | null,
  held: boolean,
): ScatterSeriesOption {
  const { colour, symbol } = style(target);
  const own = points.flatMap((point, i) =>
    isHeld(point, condition) === held ? [{ ...point, i }] : [],
  );
  return {
    type: "scatter",
    name: `${held ? "held" : "missed"}-${capacity}`,
    z: 3,
    symbol: held ? symbol : CROSS,
    symbolSize: held ? 8 : 10,
    itemStyle: { color: held ? colour : COLOUR.bad, opacity: 1 },
    data: own.map(({ rate, value, i }) => ({ value: [rate.per_s, at(value), i] })),
  };
}

function hover(
  capacities: Capacity[],
  curves: Point[][],
  unit: string,
  params: unknown,
): HTMLElement | string {
  const { seriesName, value } = params as { seriesName: string; value: number[] };
  const at = Number(seriesName.split("-")[1]);
  const [capacity, point] = [capacities[at], curves[at]?.[value[2] ?? 0]];
  if (!capacity || !point) return "";
  const { rate } = point;
  const missed = joined("join-list", rate.missed.map(say));
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, capacity.target),
    h("div", {}, t("rate-value", { rate: figure(rate.per_s) })),
    h("div", {}, `${figure(point.value)} ${unit}`),
    h("div", {}, t("held-of", { held: rate.held, trials: rate.trials })),
    missed !== "" && h("div", {}, missed),
  );
}
