// A figure over time: one strip per repeat, one above the other, on the same axes, in steps. Warm-up and seconds
// without a transaction are shaded; seconds with errors and changes of the level are marked; an open loop's offered rate is
// dashed beside what was completed.

import type { LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { figure } from "../format";
import { type Plain, say, t } from "../i18n";
import type { Cell, Mark, RunOverTime, Trial, View } from "../view";
import { lastSecond, niceMax } from "./axis";
import { type ChartOption, COLOUR, FAMILY, FONT, style } from "./base";
import { changes, judged, silences } from "./marks";
import { joined, steps } from "./steps";
import { strips, stripsHeight } from "./strips";

export type TimeMetric = "throughput_per_s" | "response_p95_ms" | "backlog" | "start_delay_ms";

const UNITS: Record<TimeMetric, Plain> = {
  throughput_per_s: "transactions-per-s",
  response_p95_ms: "ms",
  backlog: "transactions",
  start_delay_ms: "ms",
};

function figures(trial: Trial, metric: TimeMetric): (number | null)[] {
  return metric === "start_delay_ms" ? startDelays(trial) : (trial.series[metric] ?? []);
}

/** How long the backlog takes at the rate of the interval, milliseconds: what a transaction due at its end waits to be started. */
export function startDelays({ series }: Pick<Trial, "series">): (number | null)[] {
  return (series.backlog ?? []).map((waiting, i) => {
    const rate = series.throughput_per_s[i] ?? 0;
    return waiting === 0 ? 0 : rate > 0 ? (waiting / rate) * 1e3 : null;
  });
}

/** Whether a cell was offered load by the clock. */
export function isOpenLoop(cell: Cell): boolean {
  return cell.trials.some((trial) => (trial.series.backlog ?? []).length > 0);
}

const STRIP_PX = 92;

/** Runs that have seconds to show. */
export function shownTrials(cell: Cell): Trial[] {
  return cell.trials.filter((trial) => trial.series.end_s.length > 0);
}

/** The cell of a report that has only one, if it has seconds to show: there is no curve over concurrency then. */
export function onlyCell(view: View): Cell | null {
  const [only, ...others] = view.cells;
  return only && others.length === 0 && shownTrials(only).length > 0 ? only : null;
}

export function overTimeHeight(cell: Cell): number {
  return stripsHeight(shownTrials(cell).length, STRIP_PX);
}

export function overTimeOption(
  cell: Cell,
  metric: TimeMetric,
  strip_px: number = STRIP_PX,
): ChartOption {
  const trials = shownTrials(cell);
  const offered =
    metric === "throughput_per_s"
      ? trials.flatMap((trial) => trial.series.offered_per_s ?? [])
      : [];
  const values = [
    ...offered,
    ...trials.flatMap((trial) => figures(trial, metric)).map((v) => v ?? 0),
  ];
  return {
    ...strips({
      repeats: trials.map((trial) => trial.repeat),
      strip_px,
      end_s: lastSecond(trials.flatMap((trial) => trial.series.end_s)),
      max: niceMax(Math.max(0, ...values)),
      unit: t(UNITS[metric]),
      hover: (params) => hover(cell, trials, params),
    }),
    series: trials.flatMap((trial, i) => [
      strip(cell, trial, i, metric),
      errors(trial, i),
      ...(metric === "throughput_per_s" && trial.series.offered_per_s
        ? [offeredLine(trial, i)]
        : []),
    ]),
  };
}

function offeredLine({ series }: Trial, index: number): LineSeriesOption {
  return {
    type: "line",
    name: t("offered"),
    xAxisIndex: index,
    yAxisIndex: index,
    symbol: "none",
    silent: true,
    z: 4,
    emphasis: { disabled: true },
    lineStyle: { color: COLOUR.text, width: 1.2, type: [4, 3] },
    data: steps(series.end_s, series.offered_per_s ?? []),
  };
}

function strip(cell: Cell, trial: Trial, index: number, metric: TimeMetric): LineSeriesOption {
  const { end_s, warmup_intervals } = trial.series;
  const warm_s = warmup_intervals > 0 ? (end_s[warmup_intervals - 1] ?? 0) : 0;
  const run = judged(cell, trial.repeat);
  return {
    type: "line",
    name: t("repeat-n", { n: trial.repeat }),
    xAxisIndex: index,
    yAxisIndex: index,
    symbol: "none",
    emphasis: { disabled: true },
    lineStyle: { color: style(cell.target).colour, width: 1.4 },
    data:
      metric === "backlog" || metric === "start_delay_ms"
        ? joined(end_s, figures(trial, metric))
        : steps(end_s, figures(trial, metric)),
    markArea: shades(warm_s, index === 0, trial, run),
    markLine: lines(trial, run, metric === "throughput_per_s"),
  };
}

/**
 * A line at each change-point, above the strip by how much throughput changed, where that is what is drawn; and one where something
 * was done to a server, which is what changed it then.
 */
function lines(
  { marks = [], series }: Trial,
  run: RunOverTime | undefined,
  withPlain: boolean,
): NonNullable<LineSeriesOption["markLine"]> {
  return {
    silent: true,
    symbol: "none",
    animation: false,
    lineStyle: { color: COLOUR.text, width: 1, type: [4, 3] },
    label: {
      ...FONT,
      show: withPlain,
      color: COLOUR.text,
      fontSize: 11,
      position: "end",
      distance: 2,
      formatter: (mark) => mark.name,
    },
    data:
      marks.length > 0
        ? marks.map((mark, i) => ({
            xAxis: mark.at_s,
            name: nameOf(mark, marks.length),
            label: { align: beside(marks, i, lastSecond(series.end_s)) },
          }))
        : changes(run).map(({ at_s, label }) => ({ xAxis: at_s, name: label })),
  };
}

/** Words at two lines turn away from each other, and where there is room from the number of the repeat in the corner. */
function beside(marks: Mark[], index: number, end_s: number): "left" | "center" | "right" {
  const [first, second] = marks;
  if (!first || !second || marks.length > WORDS_MOST) return "center";
  const far = second.at_s - first.at_s > 0.3 * end_s && second.at_s > 0.6 * end_s;
  return index === 0 || far ? "right" : "left";
}

/** Words for one event and its end, numbers for several: words would lie on each other. */
const WORDS_MOST = 2;

function nameOf({ says, event, is_end }: Mark, marks: number): string {
  if (typeof event !== "number" || marks <= WORDS_MOST) return say(says);
  return is_end ? "" : numbered(event);
}

/** The number of an event: ①. */
export function numbered(event: number): string {
  return event <= 20 ? String.fromCodePoint(0x245f + event) : `(${event})`;
}

type Areas = NonNullable<NonNullable<LineSeriesOption["markArea"]>["data"]>;

/** Shades: the warm-up, each stretch without a transaction, and where the generator stood still. */
function shades(
  warm_s: number,
  isFirst: boolean,
  { stood_still = [] }: Trial,
  run: RunOverTime | undefined,
): NonNullable<LineSeriesOption["markArea"]> {
  const label = {
    position: "insideTopLeft" as const,
    color: COLOUR.muted,
    fontSize: 11,
    fontFamily: FAMILY,
  };
  const warmup: Areas = [
    [{ xAxis: 0, name: t("warm-up"), label: { ...label, show: isFirst } }, { xAxis: warm_s }],
  ];
  const silent: Areas = silences(run).map(([from, to]) => [
    {
      xAxis: from,
      name: t("stall"),
      itemStyle: { color: COLOUR.bad, opacity: 0.25 },
      label: { show: false },
    },
    { xAxis: to },
  ]);
  const stopped: Areas = stood_still.map(({ from_s, length_s }) => [
    {
      xAxis: from_s,
      name: t("stood-still"),
      itemStyle: { color: COLOUR.bad, opacity: 0.15 },
      label: { ...label, color: COLOUR.bad },
    },
    { xAxis: from_s + length_s },
  ]);
  return {
    silent: true,
    itemStyle: { color: COLOUR.rule, opacity: 0.45 },
    label: { ...label, formatter: (area) => area.name },
    data: [...(warm_s > 0 ? warmup : []), ...silent, ...stopped],
  };
}

function errors(trial: Trial, index: number): ScatterSeriesOption {
  const { end_s, errors_per_s } = trial.series;
  const seconds = end_s.filter((_, i) => (errors_per_s[i] ?? 0) > 0);
  return {
    type: "scatter",
    name: t("errors-per-s"),
    xAxisIndex: index,
    yAxisIndex: index,
    symbol: "rect",
    symbolSize: [1.5, 6],
    symbolOffset: [0, -3],
    itemStyle: { color: COLOUR.bad },
    emphasis: { disabled: true },
    silent: true,
    tooltip: { show: false },
    data: seconds.map((s) => [s, 0]),
  };
}

function hover(cell: Cell, trials: Trial[], params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const second = Number((list[0] as { axisValue?: number } | undefined)?.axisValue ?? 0);
  const rows = trials.map((trial) => {
    const i = trial.series.end_s.findIndex((s) => s >= second - 1e-6);
    const errors = trial.series.errors_per_s[i] ?? 0;
    return h(
      "tr",
      {},
      h("th", {}, t("repeat-n", { n: trial.repeat })),
      h(
        "td",
        { class: "number" },
        t("rate-value", { rate: figure(trial.series.throughput_per_s[i]) }),
      ),
      h(
        "td",
        { class: "number" },
        t("p95-value", { value: figure(trial.series.response_p95_ms[i]) }),
      ),
      h("td", { class: "small" }, errors > 0 ? t("errors-value", { rate: figure(errors) }) : ""),
    );
  });
  const place = `${t("at-second", { second: figure(second) })} · ${t("clients-count", { count: cell.threads })}`;
  return h("div", { class: "hover" }, h("strong", {}, place), h("table", {}, ...rows));
}
