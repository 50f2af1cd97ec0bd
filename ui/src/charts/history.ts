// A cell over its recordings: time (of recordings of a few days their order) on x, a point with its interval per recording, the mean of each level, and where it changed.

import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure, moment } from "../format";
import { levels, range } from "../history";
import type { History, HistoryLine } from "../view";
import { say, t } from "../i18n";
import { changeText, percentOf } from "../sections/changes";
import { spacedTicks } from "./axis";
import { AXIS, type ChartOption, COLOUR, CROSS, FAMILY, FONT, style, TOOLTIP } from "./base";

export const HISTORY_PX = 280;
/** Points beyond which intervals and symbols are drawn smaller. */
const MANY = 60;

/** Recordings made within so many days stand side by side in their order: by the clock those of an evening would be one column. */
const BY_ORDER_MS = 7 * 86_400_000;

/** Where recordings stand on the axis, and its labels if they stand in their order. */
interface Places {
  at: (recording: number) => number;
  labels: Map<number, string> | null;
}

export function places(history: History): Places {
  const times = history.recordings.map(({ started_at }) => Date.parse(started_at));
  const known = times.filter((time) => !Number.isNaN(time));
  const span = known.length > 0 ? Math.max(...known) - Math.min(...known) : 0;
  if (span >= BY_ORDER_MS && known.length === times.length)
    return { at: (recording) => times[recording] ?? 0, labels: null };
  const days = new Set(history.recordings.map(({ started_at }) => started_at.slice(0, 10)));
  const minutes = new Set(history.recordings.map(({ started_at }) => started_at.slice(0, 16)));
  // Recordings of one minute are told apart by their seconds.
  const until = minutes.size < history.recordings.length ? 19 : 16;
  const label = (started_at: string): string =>
    days.size > 1
      ? `${started_at.slice(5, 10)}\n${started_at.slice(11, until)}`
      : started_at.slice(11, until);
  return {
    at: (recording) => recording,
    labels: new Map(history.recordings.map(({ started_at }, i) => [i, label(started_at)])),
  };
}

export function historyOption(
  history: History,
  series: HistoryLine,
  target: number,
  width_px: number,
): ChartOption {
  const [min, max, interval_y] = range(series);
  const { at, labels } = places(history);
  const times = series.points.map((point) => at(point.recording));
  const out = leftOut(history, series, at);
  const all = [...times, ...out.map((one) => one.at)];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const margin = labels ? 0.5 : Math.max((last - first) * 0.02, 3_600_000);
  const ends = { min: first - margin, max: last + margin };
  const ticks = labels ? [...labels.keys()].filter((i) => all.includes(i)) : [];
  const shown = spacedTicks(ticks, width_px - 80, 64);
  return {
    animation: false,
    useUTC: true,
    grid: { left: 8, right: 24, top: 66, bottom: labels ? 34 : 8, containLabel: true },
    tooltip: { ...TOOLTIP, trigger: "item", formatter: (p) => hover(history, series, out, p) },
    xAxis: labels
      ? {
          ...AXIS,
          type: "value",
          ...ends,
          name: axisName(history),
          nameLocation: "middle",
          nameGap: 36,
          axisTick: { ...AXIS.axisTick, customValues: ticks },
          axisLabel: {
            ...FONT,
            customValues: shown,
            formatter: (v: number) => labels.get(Math.round(v)) ?? "",
          },
        }
      : {
          ...AXIS,
          type: "time",
          ...ends,
          minInterval: 86_400_000,
          axisLabel: { ...FONT, hideOverlap: true, formatter: "{yyyy}-{MM}-{dd}" },
        },
    yAxis: {
      ...AXIS,
      type: "value",
      min,
      max,
      interval: interval_y,
      name:
        min > 0
          ? t("history-axis-break", { label: say(series.label), from: axisNumber(min) })
          : say(series.label),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 32, -24] },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    },
    series: [
      intervals(series, times, target),
      ...levels(series).map((level): LineSeriesOption =>
        levelLine(times[level.from] ?? 0, times[level.to] ?? 0, level.mean, target),
      ),
      points(series, times, target),
      ...series.shifts.map((_, i) => shiftLine(series, times, i, [min, max])),
      marks(out, min),
    ],
  };
}

/** What the labels are: times of one day say which day. */
function axisName(history: History): string {
  const days = [...new Set(history.recordings.map(({ started_at }) => started_at.slice(0, 10)))];
  return days.length === 1 ? t("history-day", { day: days[0] ?? "" }) : t("history-in-order");
}

/** What stands at the foot of the chart: recordings without a point, those of the whole history among them. */
function leftOut(
  history: History,
  series: HistoryLine,
  at: Places["at"],
): { recording: number; at: number; why: string }[] {
  const own = series.left_out.map(({ recording, why }) => ({ recording, why: say(why) }));
  const whole = history.recordings.flatMap(({ left_out }, recording) =>
    left_out ? [{ recording, why: say(left_out) }] : [],
  );
  return [...own, ...whole].map((one) => ({ ...one, at: at(one.recording) }));
}

function intervals(series: HistoryLine, times: number[], target: number): CustomSeriesOption {
  const half_px = series.points.length > MANY ? 0 : 3;
  return {
    type: "custom",
    name: "intervals",
    silent: true,
    z: 1,
    data: series.points.map((_, i) => [i]),
    renderItem: (params, api) => {
      const point = series.points[params.dataIndex];
      if (point?.low == null || point.high == null) return null;
      const [x = 0, high = 0] = api.coord([times[params.dataIndex] ?? 0, point.high]);
      const [, low = 0] = api.coord([times[params.dataIndex] ?? 0, point.low]);
      const line = (x1: number, y1: number, x2: number, y2: number): object => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: style(target).colour, lineWidth: 1, opacity: 0.6 },
      });
      const children = [
        line(x, high, x, low),
        line(x - half_px, high, x + half_px, high),
        line(x - half_px, low, x + half_px, low),
      ];
      return { type: "group", children } as ReturnType<
        NonNullable<CustomSeriesOption["renderItem"]>
      >;
    },
  };
}

function levelLine(from: number, to: number, mean: number, target: number): LineSeriesOption {
  return {
    type: "line",
    name: "level",
    silent: true,
    z: 2,
    showSymbol: false,
    lineStyle: { color: style(target).colour, width: 2, opacity: 0.55 },
    data: [
      [from, mean],
      [to, mean],
    ],
  };
}

function points(series: HistoryLine, times: number[], target: number): ScatterSeriesOption {
  const { colour, symbol } = style(target);
  const hollow = { color: COLOUR.page, borderColor: colour, borderWidth: 1.5 };
  return {
    type: "scatter",
    name: "points",
    z: 3,
    symbol,
    symbolSize: series.points.length > MANY ? 4 : 7,
    itemStyle: { color: colour, opacity: 1 },
    emphasis: { disabled: true },
    data: series.points.map((point, i) => ({
      value: [times[i] ?? 0, point.mean],
      ...(point.n < 2 ? { itemStyle: hollow } : {}),
    })),
  };
}

/** A dashed line before the first recording of the new level, with its size above. */
function shiftLine(
  series: HistoryLine,
  times: number[],
  index: number,
  [min, max]: [number, number],
): LineSeriesOption {
  const shift = series.shifts[index];
  const at = shift ? ((times[shift.point] ?? 0) + (times[shift.point - 1] ?? 0)) / 2 : 0;
  const first = series.changed[index]?.there[0];
  const size = shift ? percentOf(shift.mean_after / shift.mean_before) : "";
  return {
    type: "line",
    name: "shift",
    z: 4,
    symbol: "none",
    lineStyle: { color: COLOUR.bad, width: 1.5, type: [4, 3] },
    silent: true,
    data: [
      [at, min],
      {
        value: [at, max],
        symbol: "circle",
        symbolSize: 1,
        label: {
          show: true,
          position: index % 2 === 0 ? "top" : "left",
          color: COLOUR.text,
          fontFamily: FAMILY,
          fontSize: 12,
          formatter: first ? `${size}\n{small|${changeText(first)}}` : size,
          lineHeight: 16,
          rich: { small: { fontSize: 11, color: COLOUR.muted, fontFamily: FAMILY } },
          width: 260,
          overflow: "truncate",
        },
      },
    ],
  };
}

function marks(out: { at: number }[], min: number): ScatterSeriesOption {
  return {
    type: "scatter",
    name: "left_out",
    z: 4,
    symbol: CROSS,
    symbolSize: 11,
    itemStyle: { color: COLOUR.bad, opacity: 1 },
    emphasis: { disabled: true },
    data: out.map(({ at }) => [at, min]),
  };
}

function hover(
  history: History,
  series: HistoryLine,
  out: { recording: number; why: string }[],
  params: unknown,
): HTMLElement {
  const { seriesName, dataIndex } = params as { seriesName: string; dataIndex: number };
  const point = series.points[dataIndex];
  const left = out[dataIndex];
  const recording = seriesName === "left_out" ? left?.recording : point?.recording;
  const entry = history.recordings[recording ?? 0];
  const said = (text: string): HTMLElement => h("div", {}, text);
  const value =
    seriesName === "left_out" || !point
      ? said(left?.why ?? "")
      : said(`${figure(point.mean)} ${interval(point)} n = ${point.n}`);
  const changes =
    seriesName === "left_out"
      ? []
      : (entry?.changes ?? []).map((change) => said(changeText(change)));
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, moment(entry?.started_at || null)),
    value,
    ...changes,
    h("div", { class: "small" }, entry?.id ?? ""),
  );
}

function interval(point: { low: number | null; high: number | null }): string {
  return point.low === null || point.high === null
    ? t("single-trial")
    : `${figure(point.low)} … ${figure(point.high)}`;
}
