// A figure against the number of all targets in one frame. Throughput from zero, response times on a logarithmic axis.

import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure, ends } from "../format";
import { t } from "../i18n";
import { ended } from "../said";
import type { Cell, View } from "../view";
import { apart, fromLog2, log2, logAxis, niceMax, spacedTicks } from "./axis";
import { AXIS, COLOUR, CROSS, type ChartOption, FONT, style, TOOLTIP } from "./base";
import { type End, endLabel, endRoom, LABEL_EDGE_PX } from "./ends";
import { areDots, estimateOf, type Metric, type Point, pointsOf } from "./points";

const UNIT = {
  throughput_per_s: "transactions-per-s",
  tpmc: "tpmc",
  response_p95_ms: "ms-log",
  response_p99_ms: "ms-log",
} as const;
/** From here on reasons fit beside the names. */
const WIDE_PX = 700;
const TOP_PX = 30;
/** Tick labels and the axis name. */
const BOTTOM_PX = 54;
/** How far beyond the points a band may stretch the axis; what goes further is cut, with a mark. */
const BAND_ROOM = 1.25;

/** The value axis: where a figure stands, and its ends and ticks as positions. */
interface Scale {
  at: (value: number) => number;
  back: (position: number) => number;
  min: number;
  max: number;
  ticks?: number[];
}

function scaleOf(points: Point[], metric: Metric, offered: number | null): Scale {
  const values = points.flatMap((p) => [
    ...(p.estimate ? [p.estimate.mean] : []),
    ...p.repeats.map((r) => r.value),
  ]);
  if (metric === "response_p95_ms" || metric === "response_p99_ms") {
    const { min, max, ticks } = logAxis(values);
    const at = (value: number): number => Math.log10(Math.max(value, min / 10));
    return {
      at,
      back: (position) => 10 ** position,
      min: at(min),
      max: at(max),
      ticks: ticks.map(at),
    };
  }
  const greatest = Math.max(0, offered ?? 0, ...values);
  const highs = points.map((p) => p.estimate?.high ?? 0);
  const max = niceMax(
    areDots(points)
      ? greatest
      : Math.max(
          greatest,
          Math.min(greatest * BAND_ROOM, ...(highs.length > 0 ? [Math.max(...highs)] : [])),
        ),
  );
  return { at: (value) => value, back: (position) => position, min: 0, max };
}

export function concurrencyOption(
  view: View,
  workload: number,
  metric: Metric,
  width_px: number,
  height_px: number,
): ChartOption {
  const cells = view.cells.filter((c) => c.workload === workload);
  const threads = [...new Set(cells.map((c) => c.threads))].sort((a, b) => a - b);
  const curves = view.targets.map((_, target) => pointsOf(cells, target, metric));
  const offered = metric === "throughput_per_s" ? offeredRate(view) : null;
  const scale = scaleOf(curves.flat(), metric, offered);
  const dots = areDots(curves.flat());
  const ends = curves.map((points) => endOf(points, width_px));
  const right = endRoom(
    view.targets.map(({ label }, i) => ({ label, note: ends[i]?.note ?? "" })),
    width_px,
  );
  const heights = ends.map(
    (end) =>
      ((scale.max - scale.at(end?.height ?? 0)) / (scale.max - scale.min)) *
      (height_px - TOP_PX - BOTTOM_PX),
  );
  const shown = ends.map((end, i) => (end ? i : -1)).filter((i) => i >= 0);
  const room_px = ends.some((end) => end !== null && end.note !== "") ? 30 : 17;
  const moved = apart(
    shown.map((i) => heights[i] ?? 0),
    room_px,
  );
  const shift = new Map(
    shown.map((target, i) => [target, (moved[i] ?? 0) - (heights[target] ?? 0)]),
  );
  return {
    animation: false,
    grid: { left: 8, right, top: TOP_PX, bottom: 26, containLabel: true },
    tooltip: {
      ...TOOLTIP,
      trigger: "axis",
      axisPointer: axisPointer(),
      formatter: (p) => hover(view, cells, metric, p),
    },
    xAxis: clientsAxis(threads, width_px - right - 60),
    yAxis: valueAxis(scale, t(UNIT[metric])),
    series: [
      ...view.targets.flatMap(({ label }, target) => {
        const points = curves[target] ?? [];
        const end = ends[target] ?? null;
        const placed = end && { ...end, height: scale.at(end.height) };
        return [
          ...(dots
            ? [repeats(points, target, scale)]
            : [band(points, target, scale), cutMarks(points, target, scale)]),
          curve(points, target, label, scale),
          failures(points, target, label, scale),
          endLabel(placed, target, label, {
            shift_px: shift.get(target) ?? 0,
            width_px: right - LABEL_EDGE_PX,
          }),
        ];
      }),
      ...(offered === null ? [] : [offeredLine(offered)]),
    ],
  };
}

/** The numbers of clients on an axis over their logarithm, each a tick, labelled where there is room. */
export function clientsAxis(threads: number[], room_px: number): NonNullable<ChartOption["xAxis"]> {
  const positions = threads.map(log2);
  const first = positions[0] ?? 0;
  const last = positions[positions.length - 1] ?? 0;
  const margin = Math.max(0.15, (last - first) * 0.02);
  return {
    ...AXIS,
    type: "value",
    min: first - margin,
    max: last + margin,
    name: t("clients"),
    nameLocation: "middle",
    nameGap: 26,
    axisTick: { ...AXIS.axisTick, customValues: positions },
    axisLabel: {
      ...FONT,
      customValues: spacedTicks(positions, room_px, 26),
      formatter: (v: number) => String(fromLog2(v)),
    },
  };
}

function valueAxis(scale: Scale, name: string): NonNullable<ChartOption["yAxis"]> {
  const own = scale.ticks === undefined ? {} : { customValues: scale.ticks };
  return {
    ...AXIS,
    type: "value",
    min: scale.min,
    max: scale.max,
    name,
    nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -24] },
    axisLine: { show: false },
    axisTick: { show: false, ...own },
    splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
    axisLabel: { ...FONT, ...own, formatter: (v: number) => axisNumber(scale.back(v)) },
  };
}

/** The rate that all recordings offered, if it is one. */
function offeredRate(view: View): number | null {
  const rates = new Set(view.runs.map((run) => run.rate_per_s));
  return rates.size === 1 ? (view.runs[0]?.rate_per_s ?? null) : null;
}

function offeredLine(rate: number): LineSeriesOption {
  return {
    type: "line",
    name: "offered",
    silent: true,
    z: 1,
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: COLOUR.muted, width: 1.2, type: [4, 3] },
      label: {
        ...FONT,
        position: "insideStartTop",
        formatter: t("offered-rate", { rate: figure(rate) }),
      },
      data: [{ yAxis: rate }],
    },
  };
}

export function axisPointer(): object {
  return {
    type: "line",
    snap: true,
    lineStyle: { color: COLOUR.muted, width: 1, type: "dotted" },
    label: { show: false },
  };
}

/** Why a cell failed: its first clause where there is room. */
function failure(cell: Cell, width_px: number): string {
  const clause = (cell.failure?.message ?? "").split(/[:;(]/)[0]?.trim() ?? "";
  const failed = t("status", { status: "failed" });
  return clause === "" || width_px < WIDE_PX
    ? failed
    : t("labelled", { label: failed, text: clause });
}

function endOf(points: Point[], width_px: number): End | null {
  const shown = points.filter((p) => p.estimate !== null || p.cell.status === "failed");
  const end = shown[shown.length - 1];
  if (!end) return null;
  const measured = points.filter((p) => p.estimate !== null);
  const single = measured.length > 0 && measured.every((p) => (p.estimate?.n ?? 0) < 2);
  const note =
    end.cell.status === "failed" ? failure(end.cell, width_px) : single ? t("single-trial") : "";
  return { x: end.x, height: end.estimate?.mean ?? neighbour(points, end), note };
}

/** Every repeat as a dot. */
function repeats(points: Point[], target: number, scale: Scale): ScatterSeriesOption {
  return {
    type: "scatter",
    name: `repeats-${target}`,
    silent: true,
    z: 2,
    symbol: "circle",
    symbolSize: 5,
    itemStyle: { color: style(target).colour, opacity: 0.5 },
    tooltip: { show: false },
    data: points
      .filter((p) => (p.estimate?.n ?? 0) > 1)
      .flatMap((p) => p.repeats.map(({ value }) => [p.x, scale.at(value)])),
  };
}

/** Intervals as a band, broken where a cell has none and cut where it leaves the axis. */
function band(points: Point[], target: number, scale: Scale): CustomSeriesOption {
  const stretches: Point[][] = [];
  let open = false;
  for (const point of points) {
    const hasInterval = point.estimate?.low != null && point.estimate.high != null;
    if (hasInterval && open) stretches[stretches.length - 1]?.push(point);
    else if (hasInterval) stretches.push([point]);
    open = hasInterval;
  }
  const inside = (value: number): number =>
    Math.min(scale.max, Math.max(scale.min, scale.at(value)));
  return {
    type: "custom",
    name: `band-${target}`,
    silent: true,
    z: 1,
    tooltip: { show: false },
    data: stretches.map((_, i) => [i]),
    renderItem: (params, api) => {
      const stretch = stretches[params.dataIndex] ?? [];
      const upper = stretch.map((p) => api.coord([p.x, inside(p.estimate?.high ?? 0)]));
      const lower = stretch.map((p) => api.coord([p.x, inside(p.estimate?.low ?? 0)])).reverse();
      return {
        type: "polygon",
        shape: { points: [...upper, ...lower] },
        style: { fill: style(target).colour, opacity: 0.18 },
      };
    },
  };
}

/** Arrows at the end of the axis where an interval goes on beyond it. */
function cutMarks(points: Point[], target: number, scale: Scale): ScatterSeriesOption {
  const beyond = points.flatMap((p): { value: [number, number]; symbolRotate: number }[] => [
    ...(p.estimate?.high != null && scale.at(p.estimate.high) > scale.max
      ? [{ value: [p.x, scale.max] as [number, number], symbolRotate: 0 }]
      : []),
    ...(p.estimate?.low != null && scale.ticks !== undefined && scale.at(p.estimate.low) < scale.min
      ? [{ value: [p.x, scale.min] as [number, number], symbolRotate: 180 }]
      : []),
  ]);
  return {
    type: "scatter",
    name: `cut-${target}`,
    silent: true,
    z: 4,
    symbol: "triangle",
    symbolSize: 7,
    itemStyle: { color: style(target).colour, opacity: 1 },
    tooltip: { show: false },
    data: beyond,
  };
}

/** Measured means. A single repeat is a hollow point, and its line only guides the eye. */
function curve(points: Point[], target: number, label: string, scale: Scale): LineSeriesOption {
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
      value: [p.x, p.estimate ? scale.at(p.estimate.mean) : "-"],
      cell: p.cell.id,
      ...(p.estimate !== null && p.estimate.n < 2 ? { itemStyle: hollow } : {}),
    })),
  };
}

/** Failed cells stand at the height of their nearest neighbour that was measured. */
function failures(
  points: Point[],
  target: number,
  label: string,
  scale: Scale,
): ScatterSeriesOption {
  const failed = points.filter((p) => p.cell.status === "failed");
  return {
    type: "scatter",
    name: `${label} ${t("status", { status: "failed" })}`,
    z: 4,
    symbol: CROSS,
    symbolSize: 12,
    itemStyle: { color: style(target).ink, opacity: 1 },
    emphasis: { disabled: true },
    tooltip: { show: false },
    data: failed.map((p) => ({
      value: [p.x, scale.at(neighbour(points, p))],
      cell: p.cell.id,
      // At the end of a curve its name says so already.
      label: {
        show: p !== points[points.length - 1],
        position: "bottom",
        formatter: t("status", { status: "failed" }),
        ...FONT,
        fontSize: 11,
      },
    })),
  };
}

function neighbour(points: Point[], failed: Point): number {
  const measured = points.filter((p) => p.estimate !== null);
  const nearest = measured.sort((a, b) => Math.abs(a.x - failed.x) - Math.abs(b.x - failed.x))[0];
  return nearest?.estimate?.mean ?? 0;
}

/** What a hover shows: every target at that number of with interval, repeats and run id. */
function hover(view: View, cells: Cell[], metric: Metric, params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const position = (list[0] as { axisValue?: number } | undefined)?.axisValue ?? 0;
  const threads = fromLog2(Number(position));
  const shown = cells.filter((c) => c.threads === threads);
  const runs = new Set(
    shown.flatMap((c) => c.trials).map((trial) => view.runs[trial.run]?.id ?? ""),
  );
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, t("clients-count", { count: threads })),
    h("table", {}, ...shown.map((cell) => hoverRow(view, cell, metric))),
    h("div", { class: "small" }, [...runs].join(", ")),
  );
}

function hoverRow(view: View, cell: Cell, metric: Metric): HTMLElement {
  const swatch = h("i", { class: "swatch", style: `background:${style(cell.target).colour}` });
  const name = h("th", {}, swatch, view.targets[cell.target]?.label ?? "");
  const estimate = estimateOf(cell, metric);
  if (estimate === null) {
    return h("tr", {}, name, h("td", { colspan: 3 }, ended(cell)));
  }
  return h(
    "tr",
    {},
    name,
    h("td", { class: "number" }, figure(estimate.mean)),
    h("td", { class: "number" }, ends(estimate) || t("single-trial")),
    h("td", { class: "small" }, `n = ${estimate.n}`),
  );
}
