// A figure against the number of clients, all targets in one frame.

import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure, plusMinus } from "../format";
import { clients, t } from "../i18n";
import type { Cell, Estimate, View } from "../view";
import { apart, fromLog2, log2, niceMax, spacedTicks } from "./axis";
import { AXIS, COLOUR, CROSS, type ChartOption, FONT, style, TOOLTIP } from "./base";

export type Metric = "throughput_per_s" | "response_p95_ms" | "response_p99_ms";

/** A cell's place in the chart. */
interface Point {
  cell: Cell;
  x: number;
  estimate: Estimate | null;
}

const UNIT = { throughput_per_s: "transactions_per_s", response_p95_ms: "ms", response_p99_ms: "ms" } as const;
const NARROW_PX = 520;
/** From here on reasons fit beside the names. */
const WIDE_PX = 700;
/** Between the last point and the name of its curve. */
const LABEL_GAP_PX = 14;
const TOP_PX = 30;
/** Tick labels and the axis name. */
const BOTTOM_PX = 54;

export function concurrencyOption(view: View, workload: number, metric: Metric, width_px: number, height_px: number): ChartOption {
  const cells = view.cells.filter((c) => c.workload === workload);
  const threads = [...new Set(cells.map((c) => c.threads))].sort((a, b) => a - b);
  const greatest = Math.max(0, ...cells.map((c) => c[metric]?.high ?? c[metric]?.mean ?? 0));
  const positions = threads.map(log2);
  const curves = view.targets.map((_, target) => pointsOf(cells, target, metric));
  const ends = curves.map((points) => endOf(points, width_px));
  const right = endRoom(view.targets.map(({ label }, i) => ({ label, note: ends[i]?.note ?? "" })), width_px);
  const first = positions[0] ?? 0;
  const last = positions[positions.length - 1] ?? 0;
  const margin = Math.max(0.15, (last - first) * 0.02);
  const labelled = spacedTicks(positions, width_px - right - 60, 26);
  const max = niceMax(greatest);
  const heights = ends.map((end) => (1 - (end?.height ?? 0) / max) * (height_px - TOP_PX - BOTTOM_PX));
  const shown = ends.map((end, i) => (end ? i : -1)).filter((i) => i >= 0);
  const room_px = ends.some((end) => end !== null && end.note !== "") ? 30 : 17;
  const moved = apart(shown.map((i) => heights[i] ?? 0), room_px);
  const shift = new Map(shown.map((target, i) => [target, (moved[i] ?? 0) - (heights[target] ?? 0)]));
  return {
    animation: false,
    grid: { left: 8, right, top: TOP_PX, bottom: 34, containLabel: true },
    tooltip: { ...TOOLTIP, trigger: "axis", axisPointer: axisPointer(), formatter: (p) => hover(view, cells, metric, p) },
    xAxis: {
      ...AXIS,
      type: "value",
      min: first - margin,
      max: last + margin,
      name: t("clients"),
      nameLocation: "middle",
      nameGap: 26,
      axisTick: { ...AXIS.axisTick, customValues: positions },
      axisLabel: { ...FONT, customValues: labelled, formatter: (v: number) => String(fromLog2(v)) },
    },
    yAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max,
      name: t(UNIT[metric]),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -24] },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    },
    series: view.targets.flatMap(({ label }, target) => {
      const points = curves[target] ?? [];
      const end = endLabel(ends[target] ?? null, target, label, { shift_px: shift.get(target) ?? 0, width_px: right - LABEL_GAP_PX });
      return [band(points, target), curve(points, target, label), failures(points, target, label), end];
    }),
  };
}

/** Room for the names at the ends: as much as the longest takes, but never more than a third of the chart. */
function endRoom(names: { label: string; note: string }[], width_px: number): number {
  const letter_px = width_px < NARROW_PX ? 7.2 : 8.4;
  const small_px = 6.2;
  const letters = (text: string): number => [...text].reduce((sum, c) => sum + (c > "\u2e7f" ? 1.7 : 1), 0);
  const widths = names.map(({ label, note }) => Math.max(letters(label) * letter_px, letters(note) * small_px));
  return Math.min(Math.max(...widths, 50) + LABEL_GAP_PX, width_px / 3);
}

function axisPointer(): object {
  return { type: "line", snap: true, lineStyle: { color: COLOUR.muted, width: 1, type: "dotted" }, label: { show: false } };
}

function pointsOf(cells: Cell[], target: number, metric: Metric): Point[] {
  const own = cells.filter((c) => c.target === target).sort((a, b) => a.threads - b.threads);
  return own.map((cell): Point => ({ cell, x: log2(cell.threads), estimate: cell[metric] }));
}

/** Where the name of a target stands, and what is said under it. */
interface End {
  x: number;
  height: number;
  note: string;
}

/** Why a cell failed: its first clause where there is room. */
function failure(cell: Cell, width_px: number): string {
  const clause = (cell.failure?.message ?? "").split(/[:;(]/)[0]?.trim() ?? "";
  return clause === "" || width_px < WIDE_PX ? t("failed") : `${t("failed")}: ${clause}`;
}

function endOf(points: Point[], width_px: number): End | null {
  const shown = points.filter((p) => p.estimate !== null || p.cell.status === "failed");
  const end = shown[shown.length - 1];
  if (!end) return null;
  const measured = points.filter((p) => p.estimate !== null);
  const single = measured.length > 0 && measured.every((p) => (p.estimate?.n ?? 0) < 2);
  const note = end.cell.status === "failed" ? failure(end.cell, width_px) : single ? t("single_run") : "";
  return { x: end.x, height: end.estimate?.mean ?? neighbour(points, end), note };
}

/** Intervals as a band, broken where a cell has none. */
function band(points: Point[], target: number): CustomSeriesOption {
  const stretches: Point[][] = [];
  let open = false;
  for (const point of points) {
    const hasInterval = point.estimate?.low != null && point.estimate.high != null;
    if (hasInterval && open) stretches[stretches.length - 1]?.push(point);
    else if (hasInterval) stretches.push([point]);
    open = hasInterval;
  }
  return {
    type: "custom",
    name: `band-${target}`,
    silent: true,
    z: 1,
    tooltip: { show: false },
    data: stretches.map((_, i) => [i]),
    renderItem: (params, api) => {
      const stretch = stretches[params.dataIndex] ?? [];
      const upper = stretch.map((p) => api.coord([p.x, p.estimate?.high ?? 0]));
      const lower = stretch.map((p) => api.coord([p.x, p.estimate?.low ?? 0])).reverse();
      return { type: "polygon", shape: { points: [...upper, ...lower] }, style: { fill: style(target).colour, opacity: 0.18 } };
    },
  };
}

/** Measured means. A single run is a hollow point, and its line only guides the eye. */
function curve(points: Point[], target: number, label: string): LineSeriesOption {
  const { colour, dash, symbol } = style(target);
  const single = points.every((p) => p.estimate === null || p.estimate.n < 2);
  const hollow = { color: COLOUR.page, borderColor: colour, borderWidth: 1.5 };
  return {
    type: "line",
    name: label,
    z: 3,
    connectNulls: false,
    symbol,
    symbolSize: points.length > 12 ? 5 : 8,
    emphasis: { disabled: true },
    lineStyle: { color: colour, width: single ? 1 : 2, type: dash, opacity: single ? 0.45 : 1 },
    itemStyle: { color: colour },
    data: points.map((p) => ({
      value: [p.x, p.estimate?.mean ?? "-"],
      cell: p.cell.id,
      ...(p.estimate !== null && p.estimate.n < 2 ? { itemStyle: hollow } : {}),
    })),
  };
}

/** Failed cells stand at the height of their nearest neighbour that was measured. */
function failures(points: Point[], target: number, label: string): ScatterSeriesOption {
  const failed = points.filter((p) => p.cell.status === "failed");
  return {
    type: "scatter",
    name: `${label} ${t("failed")}`,
    z: 4,
    symbol: CROSS,
    symbolSize: 12,
    itemStyle: { color: style(target).ink, opacity: 1 },
    emphasis: { disabled: true },
    tooltip: { show: false },
    data: failed.map((p) => ({
      value: [p.x, neighbour(points, p)],
      cell: p.cell.id,
      // At the end of a curve its name says so already.
      label: { show: p !== points[points.length - 1], position: "bottom", formatter: t("failed"), ...FONT, fontSize: 11 },
    })),
  };
}

function neighbour(points: Point[], failed: Point): number {
  const measured = points.filter((p) => p.estimate !== null);
  const nearest = measured.sort((a, b) => Math.abs(a.x - failed.x) - Math.abs(b.x - failed.x))[0];
  return nearest?.estimate?.mean ?? 0;
}

/** The target's name at the end of its curve. */
function endLabel(end: End | null, target: number, label: string, place: { shift_px: number; width_px: number }): ScatterSeriesOption {
  const second = end?.note ?? "";
  const fontSize = place.width_px < 100 ? 12 : 13;
  return {
    type: "scatter",
    name: `label-${target}`,
    silent: true,
    z: 5,
    symbolSize: 1,
    itemStyle: { color: "transparent", opacity: 1 },
    tooltip: { show: false },
    label: {
      show: true,
      position: "right",
      distance: 9,
      offset: [0, place.shift_px],
      formatter: second === "" ? `{name|${label}}` : `{name|${label}}\n{small|${second}}`,
      color: style(target).ink,
      fontFamily: "inherit",
      fontSize,
      fontWeight: 600,
      width: place.width_px,
      overflow: "truncate",
      rich: {
        name: { fontWeight: 600, fontSize, color: style(target).ink, fontFamily: "inherit" },
        small: { fontWeight: 400, fontSize: 11, color: COLOUR.muted, fontFamily: "inherit", padding: [3, 0, 0, 0] },
      },
    },
    data: end ? [{ value: [end.x, end.height] }] : [],
  };
}

/** What a hover shows: every target at that number of clients, with interval, runs and run id. */
function hover(view: View, cells: Cell[], metric: Metric, params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const position = (list[0] as { axisValue?: number } | undefined)?.axisValue ?? 0;
  const threads = fromLog2(Number(position));
  const shown = cells.filter((c) => c.threads === threads);
  const runs = new Set(shown.flatMap((c) => c.trials).map((trial) => view.runs[trial.run]?.id ?? ""));
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, clients(threads)),
    h("table", {}, ...shown.map((cell) => hoverRow(view, cell, metric))),
    h("div", { class: "small" }, [...runs].join(", ")),
  );
}

function hoverRow(view: View, cell: Cell, metric: Metric): HTMLElement {
  const swatch = h("i", { class: "swatch", style: `background:${style(cell.target).colour}` });
  const name = h("th", {}, swatch, view.targets[cell.target]?.label ?? "");
  const estimate = cell[metric];
  if (estimate === null) {
    return h("tr", {}, name, h("td", { colspan: 3 }, `${t(cell.status)}${cell.failure ? `: ${cell.failure.message}` : ""}`));
  }
  const interval = estimate.low === null || estimate.high === null ? t("single_run") : `${figure(estimate.low)} … ${figure(estimate.high)}`;
  return h(
    "tr",
    {},
    name,
    h("td", { class: "number" }, `${figure(estimate.mean)} ${plusMinus(estimate)}`),
    h("td", { class: "number" }, interval),
    h("td", { class: "small" }, `n = ${estimate.n}`),
  );
}
