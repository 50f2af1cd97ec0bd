// Strips: one small chart per repeat, one above the other, on the same axis over time.

import { axisNumber } from "../format";
import { t } from "../i18n";
import { AXIS, COLOUR, type ChartOption, FONT, TOOLTIP } from "./base";

const GAP_PX = 22;
const TOP_PX = 30;
const BOTTOM_PX = 44;

/** Height of a chart of so many strips. */
export function stripsHeight(strips: number, strip_px: number): number {
  return TOP_PX + BOTTOM_PX + strips * strip_px + Math.max(0, strips - 1) * GAP_PX;
}

/** Height of a strip where all of them share a given height. */
export function stripHeight(strips: number, height_px: number): number {
  const count = Math.max(1, strips);
  return Math.max(40, (height_px - TOP_PX - BOTTOM_PX - (count - 1) * GAP_PX) / count);
}

export interface Strips {
  /** Which repeat each strip is. */
  repeats: number[];
  strip_px: number;
  end_s: number;
  max: number;
  unit: string;
  hover: (params: unknown) => HTMLElement;
}

/** Everything of the chart but its series, whose grid is the number of their strip. */
export function strips({ repeats, strip_px, end_s, max, unit, hover }: Strips): ChartOption {
  const top = (i: number): number => TOP_PX + i * (strip_px + GAP_PX);
  const last = repeats.length - 1;
  return {
    animation: false,
    title: repeats.map((repeat, i) => ({
      text: repeats.length > 1 ? t("repeat-n", { n: repeat }) : "",
      right: 14,
      top: top(i) - 16,
      padding: 0,
      textStyle: { ...FONT, fontWeight: 400 },
    })),
    grid: repeats.map((_, i) => ({ left: 50, right: 8, top: top(i), height: strip_px })),
    tooltip: {
      ...TOOLTIP,
      trigger: "axis",
      axisPointer: {
        type: "line",
        lineStyle: { color: COLOUR.muted, width: 1, type: "dotted" },
        label: { show: false },
      },
      formatter: hover,
    },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    xAxis: repeats.map((_, i) => ({
      ...AXIS,
      type: "value" as const,
      gridIndex: i,
      min: 0,
      max: end_s,
      name: i === last ? t("seconds") : "",
      nameLocation: "middle" as const,
      nameGap: 26,
      axisTick: { ...AXIS.axisTick, show: i === last },
      axisLabel: { ...FONT, show: i === last, hideOverlap: true },
    })),
    yAxis: repeats.map((_, i) => ({
      ...AXIS,
      type: "value" as const,
      gridIndex: i,
      min: 0,
      max,
      interval: max / 2,
      name: i === 0 ? unit : "",
      nameTextStyle: { ...FONT, align: "left" as const, padding: [0, 0, 0, -44] },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    })),
  };
}
