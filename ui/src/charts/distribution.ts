// The latency distribution of a cell: response beside service, on a percentile axis that stretches towards 100.

import type { LineSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure } from "../format";
import { t } from "../i18n";
import type { Cell } from "../view";
import { niceMax, ninesOf, ninesTicks } from "./axis";
import { AXIS, type ChartOption, COLOUR, FAMILY, FONT, style, TOOLTIP } from "./base";

export function distributionOption(cell: Cell, width_px: number): ChartOption {
  const curve = cell.distribution ?? { percentile: [], response_ms: [], service_ms: [] };
  const positions = ninesOf(curve.percentile);
  const last = positions[positions.length - 1] ?? 1;
  const ticks = ninesTicks(last - 0.3);
  const labels = new Map(ticks.map((tick) => [tick.position, tick.label]));
  labels.set(last, t("maximum"));
  const line = (name: string, values: number[], look: LineSeriesOption): LineSeriesOption => ({
    type: "line",
    name,
    symbol: "none",
    emphasis: { disabled: true },
    data: values.map((value, i) => [positions[i] ?? 0, value]),
    ...look,
  });
  const { colour, ink } = style(cell.target);
  const greatest = Math.max(0, ...curve.response_ms, ...curve.service_ms);
  // Where the curves end in one place, their names step aside.
  const apart =
    Math.abs((curve.response_ms.at(-1) ?? 0) - (curve.service_ms.at(-1) ?? 0)) > greatest * 0.08;
  const endLabel = (
    name_colour: string,
    step_px: number,
  ): NonNullable<LineSeriesOption["endLabel"]> => ({
    show: true,
    formatter: "{a}",
    offset: [0, apart ? 0 : step_px],
    color: name_colour,
    fontFamily: FAMILY,
    fontSize: 12,
  });
  const series = [
    line(t("response-time"), curve.response_ms, {
      z: 3,
      lineStyle: { color: colour, width: 2 },
      endLabel: endLabel(ink, -7),
    }),
  ];
  if (curve.service_ms.length > 0) {
    const look: LineSeriesOption = {
      z: 2,
      lineStyle: { color: COLOUR.muted, width: 1.5, type: [3, 3] },
      endLabel: endLabel(COLOUR.muted, 8),
    };
    series.push(line(t("service-time"), curve.service_ms, look));
  }
  return {
    animation: false,
    grid: { left: 8, right: width_px < 520 ? 90 : 104, top: 30, bottom: 34, containLabel: true },
    tooltip: {
      ...TOOLTIP,
      trigger: "axis",
      axisPointer: {
        type: "line",
        lineStyle: { color: COLOUR.muted, width: 1, type: "dotted" },
        label: { show: false },
      },
      formatter: (params) => hover(cell, params),
    },
    xAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: last,
      name: t("percentile"),
      nameLocation: "middle",
      nameGap: 26,
      axisTick: { ...AXIS.axisTick, customValues: [...labels.keys()] },
      axisLabel: {
        ...FONT,
        customValues: [...labels.keys()],
        formatter: (v: number) => near(labels, v),
        hideOverlap: true,
      },
    },
    yAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: niceMax(greatest),
      name: t("ms"),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, -24] },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: { ...FONT, formatter: axisNumber },
    },
    series,
  };
}

/** The label of the tick at a position, which comes back with rounding errors. */
function near(labels: Map<number, string>, position: number): string {
  for (const [key, label] of labels) if (Math.abs(key - position) < 1e-6) return label;
  return "";
}

function hover(cell: Cell, params: unknown): HTMLElement {
  const list = Array.isArray(params) ? params : [params];
  const index = (list[0] as { dataIndex?: number } | undefined)?.dataIndex ?? 0;
  const curve = cell.distribution;
  const percentile = curve?.percentile[index] ?? 0;
  const row = (name: string, value: number | undefined): HTMLElement | null =>
    value === undefined
      ? null
      : h(
          "tr",
          {},
          h("th", {}, name),
          h("td", { class: "number" }, t("ms-value", { value: figure(value) })),
        );
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, percentile >= 100 ? t("maximum") : `p${percentile}`),
    h(
      "table",
      {},
      row(t("response-time"), curve?.response_ms[index]),
      row(t("service-time"), curve?.service_ms[index]),
    ),
  );
}
