// A run in slots: a line for each kind of transaction, one strip per run; and what a transaction costs against how many
// were done before.

import type { LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { dashed, h } from "../dom";
import { axisNumber, figure } from "../format";
import { t } from "../i18n";
import type { Slot, Timeline } from "../view";
import { lastSecond, niceMax } from "./axis";
import { AXIS, COLOUR, type ChartOption, FONT, style, TOOLTIP } from "./base";
import { steps } from "./steps";
import { strips, stripsHeight } from "./strips";

/** A line of the chart. */
export interface Line {
  name: string;
  value: (slot: Slot) => number | null;
}

const STRIP_PX = 150;

export function timelineHeight(timelines: Timeline[]): number {
  return stripsHeight(timelines.length, STRIP_PX);
}

export function timelineOption(
  timelines: Timeline[],
  lines: Line[],
  unit: string,
  strip_px = STRIP_PX,
): ChartOption {
  const values = timelines.flatMap((timeline) =>
    timeline.slots.flatMap((slot) => lines.map((line) => line.value(slot) ?? 0)),
  );
  return {
    ...strips({
      repeats: timelines.map((timeline) => timeline.repeat),
      strip_px,
      end_s: lastSecond(timelines.flatMap((timeline) => timeline.slots.map((slot) => slot.end_s))),
      max: niceMax(Math.max(0, ...values)),
      unit,
      hover: (params) => hover(timelines, lines, unit, params),
    }),
    series: timelines.flatMap((timeline, i) =>
      lines.map((line, l): LineSeriesOption => ({
        type: "line",
        name: line.name,
        xAxisIndex: i,
        yAxisIndex: i,
        symbol: "none",
        emphasis: { disabled: true },
        itemStyle: { color: style(l).colour },
        lineStyle: { color: style(l).colour, width: 1.4, type: style(l).dash },
        data: steps(
          timeline.slots.map((slot) => slot.end_s),
          timeline.slots.map((slot) => line.value(slot)),
        ),
      })),
    ),
  };
}

function hover(timelines: Timeline[], lines: Line[], unit: string, params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const second = Number((list[0] as { axisValue?: number } | undefined)?.axisValue ?? 0);
  const rows = timelines.flatMap((timeline) => {
    const slot = timeline.slots.find((s) => s.end_s >= second - 1e-6);
    if (!slot) return [];
    const named = (text: string): string =>
      timelines.length > 1 ? t("in-repeat", { text, n: timeline.repeat }) : text;
    return lines.map((line) =>
      h(
        "tr",
        {},
        h("th", {}, named(line.name)),
        h("td", { class: "number" }, `${figure(line.value(slot))} ${unit}`),
      ),
    );
  });
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, t("at-second", { second: figure(second) })),
    h("table", {}, ...rows),
  );
}

/** What the lines are, beside the chart. */
export function legend(lines: Line[]): HTMLElement {
  const items = lines.map((line, l) => {
    const { colour, dash } = style(l);
    return h("span", {}, dashed(colour, dash === "solid" ? [] : dash), line.name);
  });
  return h("p", { class: "legend" }, ...items);
}

/** 1/throughput of one run against the transactions done before, with the line through it. */
export function costOption(timeline: Timeline): ChartOption {
  const points = timeline.slots
    .filter((slot) => slot.throughput_per_s > 0)
    .map((slot): [number, number] => [slot.transactions_before / 1e3, 1e3 / slot.throughput_per_s]);
  const growth = timeline.sustained?.growth ?? null;
  const end = niceMax(Math.max(...points.map(([x]) => x)));
  const at = (thousands: number): [number, number] => [
    thousands,
    growth ? growth.start_s * 1e3 * (1 + (growth.per_million * thousands) / 1e3) : 0,
  ];
  const measured: ScatterSeriesOption = {
    type: "scatter",
    name: t("ms-per-transaction"),
    symbolSize: 6,
    itemStyle: { color: style(0).colour },
    data: points,
  };
  const line: LineSeriesOption = {
    type: "line",
    silent: true,
    symbol: "none",
    lineStyle: { color: COLOUR.muted, width: 1.2, type: "dashed" },
    data: growth ? [at(0), at(end)] : [],
  };
  return {
    animation: false,
    grid: { left: 50, right: 16, top: 30, bottom: 44 },
    tooltip: {
      ...TOOLTIP,
      trigger: "item",
      formatter: (params) => {
        const [x, y] = (params as { data?: [number, number] }).data ?? [0, 0];
        return t("cost-at", { done: figure(x), ms: figure(y) });
      },
    },
    xAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: end,
      name: t("thousands-done"),
      nameLocation: "middle",
      nameGap: 26,
      axisLabel: { ...FONT, formatter: axisNumber, hideOverlap: true },
    },
    yAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: niceMax(Math.max(...points.map(([, y]) => y))),
      name: t("ms-per-transaction"),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -46] },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    },
    series: [measured, line],
  };
}
