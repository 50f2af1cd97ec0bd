// One panel of what was seen of a run: a few lines of one unit on the time axis of the load.

import type { LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { axisNumber } from "../format";
import { t } from "../i18n";
import type { Trial } from "../view";
import { AXIS, type ChartOption, COLOUR, FAMILY, FONT, style, STYLES, TOOLTIP } from "./base";
import { areMeans, slots, type TimePanel } from "./panels";
import { joined, steps } from "./steps";

const PLOT_PX = 72;
const TOP_PX = 8;
const BOTTOM_PX = 10;
/** With the labels of the time axis, which only the last panel has. */
const AXIS_PX = 42;
const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [13, 4], [5, 2, 2, 2, 2, 2]];

/** Where a panel stands. */
export interface PanelPlace {
  trial: Trial;
  target: number;
  targets: number;
  end_s: number;
  first: boolean;
  last: boolean;
}

/** How a line looks: told apart without colour too. */
export interface LineStyle {
  colour: string;
  dash: number[];
}

export function panelHeight(last: boolean): number {
  return TOP_PX + PLOT_PX + (last ? AXIS_PX : BOTTOM_PX);
}

/** The look of each line of a panel; the load has the line of its target. */
export function lineStyles(panel: TimePanel, target: number, targets: number): LineStyle[] {
  return slots(target, targets, panel.lines.length, STYLES).map((slot, i) => ({
    colour: style(slot).colour,
    dash: DASHES[i % DASHES.length] ?? [],
  }));
}

export function panelOption(panel: TimePanel, place: PanelPlace): ChartOption {
  const { last, end_s, target, targets } = place;
  const looks = lineStyles(panel, target, targets);
  return {
    animation: false,
    grid: { left: 50, right: 8, top: TOP_PX, height: PLOT_PX },
    tooltip: {
      ...TOOLTIP,
      // What the lines show at the pointer stands in the legend: a box for each panel would hide the others.
      showContent: false,
      trigger: "axis",
      axisPointer: {
        type: "line",
        lineStyle: { color: COLOUR.muted, width: 1, type: "dotted" },
        label: { show: false },
      },
    },
    xAxis: [
      {
        ...AXIS,
        type: "value",
        min: 0,
        max: end_s,
        name: last ? t("seconds") : "",
        nameLocation: "middle",
        nameGap: 24,
        axisTick: { ...AXIS.axisTick, show: last },
        axisLabel: { ...FONT, show: last, hideOverlap: true },
      },
    ],
    yAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: panel.max,
      interval: panel.max / 2,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    },
    series: [
      ...panel.lines.map((_, i) => drawn(panel, i, looks[i], place)),
      ...(panel.key === "load" ? [errors(place.trial)] : []),
    ],
  };
}

function drawn(
  panel: TimePanel,
  index: number,
  look: LineStyle | undefined,
  { trial, first }: PanelPlace,
): LineSeriesOption {
  const line = panel.lines[index];
  const { end_s, warmup_intervals } = trial.series;
  const warm_s = warmup_intervals > 0 ? (end_s[warmup_intervals - 1] ?? 0) : 0;
  const shade: LineSeriesOption["markArea"] = {
    silent: true,
    itemStyle: { color: COLOUR.rule, opacity: 0.45 },
    label: {
      show: first,
      position: "insideTopLeft",
      color: COLOUR.muted,
      fontSize: 11,
      fontFamily: FAMILY,
      formatter: t("warm-up"),
    },
    data: [[{ xAxis: 0 }, { xAxis: warm_s }]],
  };
  return {
    type: "line",
    id: line?.id ?? String(index),
    name: line?.label ?? "",
    // A single reading makes no line.
    symbol: panel.at_s.length > 1 ? "none" : "circle",
    itemStyle: { color: look?.colour ?? COLOUR.text },
    emphasis: { disabled: true },
    lineStyle: {
      color: look?.colour ?? COLOUR.text,
      width: 1.4,
      type: look && look.dash.length > 0 ? look.dash : "solid",
    },
    data: (areMeans(panel) ? steps : joined)(panel.at_s, line?.values ?? []),
    ...(index === 0 && warm_s > 0 ? { markArea: shade } : {}),
  };
}

/** Seconds with errors, as in the chart of all runs. */
function errors({ series }: Trial): ScatterSeriesOption {
  const seconds = series.end_s.filter((_, i) => (series.errors_per_s[i] ?? 0) > 0);
  return {
    type: "scatter",
    name: t("errors-per-s"),
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
