// What crashes lost against what there is to gain: throughput, and the age of the oldest acknowledged commit that was missing. The
// worst crash of a cell is a point, the median a smaller one below it. Times are logarithmic; nothing lost has a line of its own.

import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import { h } from "../dom";
import { axisNumber, figure, percent } from "../format";
import { joined, t } from "../i18n";
import type { Cell, CrashKind, CrashSummary, View } from "../view";
import { logAxis, niceMax } from "./axis";
import { AXIS, COLOUR, CROSS, type ChartOption, FAMILY, FONT, style, TOOLTIP } from "./base";
import { type Box, besidePoints, type Named, nearestTo } from "./beside";
import { widthOf } from "./ends";

const LEFT_PX = 56;
const RIGHT_PX = 20;
const TOP_PX = 30;
const BOTTOM_PX = 44;
/** Between the line of nothing lost and the shortest time on the axis. */
const BREAK_PX = 34;
/** Below the line of nothing lost. */
const BELOW_PX = 22;
/** Room of a tick's label. */
const TICK_PX = 20;
const WORST_PX = 11;
const MEDIAN_PX = 7;
const NAME_PX = 12;
const NAME_HEIGHT_PX = 16;
/** A name that is further from its point is joined to it by a line. */
const AWAY_PX = 12;
/** What the axis shows where nothing was lost at all. */
const USUAL_MS = [1, 1000];

/** A cell with a crash and a throughput. */
export interface Crashed {
  cell: Cell;
  crash: CrashSummary;
  per_s: number;
}

/** The symbol of a kind of crash, and a character that looks like it. */
export const KINDS: Record<CrashKind, { symbol: string; glyph: string }> = {
  kill: { symbol: "circle", glyph: "●" },
  os: { symbol: "diamond", glyph: "◆" },
  power: { symbol: "triangle", glyph: "▲" },
  lying: { symbol: "rect", glyph: "■" },
};

/** From the middle of a point to the middle of its name. */
type Offset = [number, number];

/** Where a time stands on the axis. */
interface Scale {
  at: (ms: number) => number;
  min: number;
  max: number;
  zero: number;
  ticks: number[];
}

/** A cell in the chart. */
interface Point extends Crashed {
  /** Position of the worst crash; the top of the axis if no crash tells. */
  worst: number;
  /** That of the median, if it is another one. */
  median: number | null;
  /** What is bad about it, in words; empty: nothing. */
  trouble: string;
}

/** Charts that stand beside each other have the same axis of times, that of `all`. Throughput differs by the disk that a crash takes. */
export function crashOption(
  view: View,
  shown: Crashed[],
  all: Crashed[],
  width_px: number,
  height_px: number,
): ChartOption {
  const plot: Box = {
    x: LEFT_PX,
    y: TOP_PX,
    width: width_px - LEFT_PX - RIGHT_PX,
    height: height_px - TOP_PX - BOTTOM_PX,
  };
  const scale = scaleOf(all, plot.height);
  const greatest = niceMax(Math.max(...shown.map((one) => one.per_s)));
  const points = shown.map((one) => pointOf(one, scale));
  const ticks = [scale.zero, ...scale.ticks.map(scale.at)];
  return {
    animation: false,
    grid: { left: LEFT_PX, right: RIGHT_PX, top: TOP_PX, bottom: BOTTOM_PX },
    tooltip: { ...TOOLTIP, trigger: "item", formatter: (p) => hover(view, points, p) },
    xAxis: {
      ...AXIS,
      type: "value",
      min: 0,
      max: greatest,
      name: t("transactions-per-s"),
      nameLocation: "middle",
      nameGap: 26,
      axisLine: { ...AXIS.axisLine, onZero: false },
      axisLabel: { ...FONT, hideOverlap: true, formatter: (v: number) => axisNumber(v) },
    },
    yAxis: {
      ...AXIS,
      type: "value",
      min: scale.min,
      max: scale.max,
      name: t("crash-axis"),
      nameTextStyle: { ...FONT, align: "left", padding: [0, 0, 0, 8 - LEFT_PX] },
      axisLine: { show: false },
      axisTick: { show: false, customValues: ticks },
      splitLine: { show: true, lineStyle: { color: COLOUR.rule, width: 0.6 } },
      axisLabel: {
        ...FONT,
        customValues: ticks,
        formatter: (v: number) => (v <= scale.zero ? "0" : axisNumber(10 ** v)),
      },
    },
    series: [
      nothingLost(scale),
      ...points.flatMap((point) => [span(point), medianMark(point), worstMark(point)]),
      ...names(view, points, plot, scale, greatest),
    ],
  };
}

function scaleOf(all: Crashed[], plot_px: number): Scale {
  const times = all
    .flatMap(({ crash }) => [crash.lost_ms_worst ?? 0, crash.lost_ms_median ?? 0])
    .filter((ms) => ms > 0);
  const { min, max, ticks } = logAxis(times.length > 0 ? times : USUAL_MS);
  const room_px = Math.max(1, plot_px - BREAK_PX - BELOW_PX);
  const fine = ticks.length * TICK_PX <= room_px;
  const [least, most] = [Math.log10(min), Math.log10(max)];
  const per_px = (most - least) / room_px;
  const zero = least - BREAK_PX * per_px;
  return {
    at: (ms) => (ms > 0 ? Math.log10(ms) : zero),
    min: zero - BELOW_PX * per_px,
    max: most,
    zero,
    ticks: fine ? ticks : ticks.filter((ms) => Number.isInteger(Math.log10(ms))),
  };
}

function pointOf(one: Crashed, scale: Scale): Point {
  const { lost_ms_worst, lost_ms_median } = one.crash;
  const worst = lost_ms_worst === null ? scale.max : scale.at(lost_ms_worst);
  const median = lost_ms_median === null ? null : scale.at(lost_ms_median);
  return { ...one, worst, median: median === worst ? null : median, trouble: trouble(one.crash) };
}

/** A promise that was broken comes first, but for servers of which nothing else is known. */
function trouble({ standing, not_recovered, lost_ms_worst }: CrashSummary): string {
  if (standing === "broken" && lost_ms_worst !== null) return t("crash-broken");
  return not_recovered > 0 ? t("crash-not-recovered", { count: not_recovered }) : "";
}

/** The line on which those stand that lost nothing. */
function nothingLost({ zero }: Scale): LineSeriesOption {
  return {
    type: "line",
    name: "nothing-lost",
    silent: true,
    z: 1,
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: COLOUR.muted, width: 1.2, type: "solid" },
      label: { ...FONT, position: "insideStartTop", formatter: t("crash-nothing-lost") },
      data: [{ yAxis: zero }],
    },
  };
}

/** From the median to the worst. */
function span({ cell, per_s, worst, median }: Point): LineSeriesOption {
  return {
    type: "line",
    name: `span-${cell.id}`,
    silent: true,
    z: 2,
    showSymbol: false,
    lineStyle: { color: style(cell.target).colour, width: 1, type: "solid" },
    tooltip: { show: false },
    data:
      median === null
        ? []
        : [
            [per_s, median],
            [per_s, worst],
          ],
  };
}

/** A point, and the cell that a click leads to. */
function spot({ cell, per_s }: Point, position: number): { value: number[]; cell: string } {
  return { value: [per_s, position], cell: cell.id };
}

function medianMark(point: Point): ScatterSeriesOption {
  const { cell, crash, median } = point;
  const { colour } = style(cell.target);
  return {
    type: "scatter",
    name: `median-${cell.id}`,
    z: 3,
    symbol: KINDS[crash.kind].symbol,
    symbolSize: MEDIAN_PX,
    itemStyle: { color: COLOUR.page, borderColor: colour, borderWidth: 1.5, opacity: 1 },
    emphasis: { disabled: true },
    data: median === null ? [] : [spot(point, median)],
  };
}

/** A cross where no crash tells, for no server recovered. */
function worstMark(point: Point): ScatterSeriesOption {
  const { cell, crash } = point;
  const isKnown = crash.lost_ms_worst !== null;
  return {
    type: "scatter",
    name: `worst-${cell.id}`,
    z: 4,
    symbol: isKnown ? KINDS[crash.kind].symbol : CROSS,
    symbolSize: WORST_PX,
    itemStyle: { color: isKnown ? style(cell.target).colour : COLOUR.bad, opacity: 1 },
    emphasis: { disabled: true },
    data: [spot(point, point.worst)],
  };
}

/** The name of a point: its target; of a single target its kind of crash. */
function nameOf(view: View, { cell, crash }: Crashed): string {
  return view.targets.length === 1
    ? t("crash-kind", { kind: crash.kind })
    : (view.targets[cell.target]?.label ?? "");
}

/** Names where there is room for them; hovering says all of them. */
function names(
  view: View,
  points: Point[],
  plot: Box,
  scale: Scale,
  greatest: number,
): (ScatterSeriesOption | CustomSeriesOption)[] {
  const x = (per_s: number): number => plot.x + (per_s / greatest) * plot.width;
  const y = (position: number): number =>
    plot.y + ((scale.max - position) / (scale.max - scale.min)) * plot.height;
  const around = (left: number, top: number, width: number, height: number): Box => ({
    x: left - width / 2,
    y: top,
    width,
    height,
  });
  const taken = points.flatMap(({ per_s, worst, median }): Box[] => {
    const [left, top, bottom] = [x(per_s), y(worst), y(median ?? worst)];
    const square = (at: number, size: number): Box => around(left, at - size / 2, size, size);
    return [square(top, WORST_PX), square(bottom, MEDIAN_PX), around(left, top, 3, bottom - top)];
  });
  const words = `400 ${NAME_PX}px`;
  const zero = y(scale.zero);
  const width = widthOf(t("crash-nothing-lost"), words) + 10;
  const line: Box = { ...plot, y: zero - 1, width: plot.width + RIGHT_PX, height: 2 };
  const said: Box = { ...plot, y: zero - NAME_HEIGHT_PX - 4, width, height: NAME_HEIGHT_PX + 4 };
  const ordered = [...points].sort((a, b) => Number(b.trouble !== "") - Number(a.trouble !== ""));
  const wanted = ordered.map((point): Named => {
    const own = widthOf(nameOf(view, point), `600 ${NAME_PX}px`);
    const widths = remarks(point).map((text) => own + (text === "" ? 0 : widthOf(text, words)));
    return { x: x(point.per_s), y: y(point.worst), widths, height: NAME_HEIGHT_PX };
  });
  const room: Box = {
    ...plot,
    y: 16,
    width: plot.width + RIGHT_PX,
    height: plot.height + TOP_PX - 16,
  };
  const found = besidePoints(wanted, [...taken, line, said], room);
  return ordered.flatMap((point, i) => {
    const [want, box] = [wanted[i], found[i]];
    if (!want || !box) return [];
    const offset: Offset = [box.x + box.width / 2 - want.x, box.y + box.height / 2 - want.y];
    const remark = remarks(point)[want.widths.indexOf(box.width)] ?? "";
    return [leader(point, box, want), name(point, nameOf(view, point), remark, offset)];
  });
}

/** What follows a name: what is bad about it, or where that has no room a mark. */
function remarks({ trouble }: Point): string[] {
  return trouble === "" ? [""] : [` · ${trouble}`, " !"];
}

/** From a point to a name that does not stand right beside it. */
function leader({ cell, per_s, worst }: Point, name: Box, { x, y }: Named): CustomSeriesOption {
  const [to_x, to_y] = nearestTo(x, y, name);
  const away = Math.hypot(to_x - x, to_y - y);
  return {
    type: "custom",
    name: `leader-${cell.id}`,
    silent: true,
    z: 1,
    tooltip: { show: false },
    data: away > AWAY_PX ? [[per_s, worst]] : [],
    renderItem: () => ({
      type: "line",
      shape: { x1: x, y1: y, x2: to_x, y2: to_y },
      style: { stroke: style(cell.target).colour, lineWidth: 0.8, opacity: 0.6 },
    }),
  };
}

function name(
  { cell, per_s, worst }: Point,
  label: string,
  remark: string,
  offset: Offset,
): ScatterSeriesOption {
  const font = { fontFamily: FAMILY, fontSize: NAME_PX };
  return {
    type: "scatter",
    name: `name-${cell.id}`,
    silent: true,
    z: 5,
    symbolSize: 1,
    itemStyle: { color: "transparent", opacity: 1 },
    tooltip: { show: false },
    label: {
      show: true,
      position: "inside",
      offset,
      formatter: remark === "" ? `{name|${label}}` : `{name|${label}}{bad|${remark}}`,
      rich: {
        name: { ...font, fontWeight: 600, color: style(cell.target).ink },
        bad: { ...font, fontWeight: 400, color: COLOUR.bad },
      },
    },
    data: [[per_s, worst]],
  };
}

/** After how many of the crashes something was missing, and what else went wrong. */
export function lostIn(crash: CrashSummary): string {
  const { lost_in, crashes, bound, not_recovered, damaged } = crash;
  return joined("join-phrases", [
    bound === null
      ? t("crash-lost-in", { lost: lost_in, crashes })
      : t("crash-lost-in-bound", { lost: lost_in, crashes, bound: share(bound) }),
    not_recovered > 0 ? t("crash-not-recovered", { count: not_recovered }) : "",
    damaged > 0 ? t("crash-damaged", { count: damaged }) : "",
  ]);
}

/** After how many crashes a binary log had something wrong, of those after which it was read. */
export function harmedIn(
  harmed: number,
  compared: number,
  bound: number | null,
  unreadable: number,
): string {
  const of = { lost: harmed, crashes: compared };
  return joined("join-phrases", [
    bound === null
      ? t("crash-lost-in", of)
      : t("crash-lost-in-bound", { ...of, bound: share(bound) }),
    unreadable > 0 ? t("crash-log-unreadable", { count: unreadable }) : "",
  ]);
}

/** Whole percent, as sentences say it. */
function share(of: number): string {
  return percent(of, of < 0.0095 ? 1 : 0);
}

function hover(view: View, points: Point[], params: unknown): HTMLElement | string {
  const { data } = params as { data?: { cell?: string } };
  const point = points.find(({ cell }) => cell.id === data?.cell);
  if (!point) return "";
  const { cell, crash, per_s } = point;
  const log = crash.binary_log;
  const row = (what: string, value: string): HTMLElement =>
    h("tr", {}, h("td", {}, what), h("td", { class: "number" }, value));
  return h(
    "div",
    { class: "hover" },
    h("strong", {}, view.targets[cell.target]?.label ?? ""),
    h("div", {}, t("crash-kind", { kind: crash.kind })),
    h(
      "table",
      {},
      row(t("transactions-per-s"), figure(per_s)),
      row(t("in-ms", { what: t("crash-worst") }), figure(crash.lost_ms_worst)),
      row(t("in-ms", { what: t("crash-median") }), figure(crash.lost_ms_median)),
      row(t("crash-lost"), lostIn(crash)),
      log &&
        row(
          t("crash-log-lost"),
          harmedIn(log.lost_in, log.compared, log.lost_bound, log.unreadable),
        ),
      log && row(t("in-ms", { what: t("crash-log-worst") }), figure(log.lost_ms_worst)),
    ),
    point.trouble !== "" && h("div", { class: "bad" }, point.trouble),
  );
}
