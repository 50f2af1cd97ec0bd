// What all charts share: ECharts with only the parts in use, colours, mounting when they come into sight.

import {
  CustomChart,
  LineChart,
  ScatterChart,
  type CustomSeriesOption,
  type LineSeriesOption,
  type ScatterSeriesOption,
} from "echarts/charts";
import {
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  type GridComponentOption,
  type MarkAreaComponentOption,
  type MarkLineComponentOption,
  type TitleComponentOption,
  type TooltipComponentOption,
} from "echarts/components";
import { connect, init, use, type ComposeOption, type ECharts } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import { h } from "../dom";
import { dragToZoom, type Stretch, type Zoom } from "./zoom";

use([
  LineChart,
  ScatterChart,
  CustomChart,
  GridComponent,
  TooltipComponent,
  TitleComponent,
  MarkAreaComponent,
  MarkLineComponent,
  LabelLayout,
  SVGRenderer,
]);

export type ChartOption = ComposeOption<
  | LineSeriesOption
  | ScatterSeriesOption
  | CustomSeriesOption
  | GridComponentOption
  | TooltipComponentOption
  | TitleComponentOption
  | MarkAreaComponentOption
  | MarkLineComponentOption
>;

// Colours are names of CSS variables: the SVG then follows dark mode and print without being drawn again.
export const COLOUR = {
  text: "var(--text)",
  muted: "var(--muted)",
  rule: "var(--rule)",
  page: "var(--page)",
  bad: "var(--bad)",
};

/** Colours of the palette. */
export const STYLES = 8;
const DASHES: (number[] | "solid")[] = ["solid", [7, 4], [2, 3], [9, 3, 2, 3]];
const SYMBOLS = ["circle", "diamond", "triangle", "rect"];

export interface Style {
  colour: string;
  ink: string;
  dash: number[] | "solid";
  symbol: string;
}

/** Colour, line and symbol of a target: the same on the whole page, told apart without colour too. */
export function style(target: number): Style {
  const slot = target % STYLES;
  return {
    colour: `var(--t${slot})`,
    ink: `var(--t${slot}-ink)`,
    dash: DASHES[target % DASHES.length] ?? "solid",
    symbol: SYMBOLS[target % SYMBOLS.length] ?? "circle",
  };
}

export const CROSS =
  "path://M-5,-4 L-4,-5 L0,-1 L4,-5 L5,-4 L1,0 L5,4 L4,5 L0,1 L-4,5 L-5,4 L-1,0 Z";

/** By name, for the charts measure their words with it: `inherit` is none that a canvas knows. */
export const FAMILY =
  typeof document === "undefined"
    ? "sans-serif"
    : getComputedStyle(document.body).fontFamily.replaceAll('"', "'");

export const FONT = { fontFamily: FAMILY, fontSize: 12, color: COLOUR.muted };

/** Lines that both axes of every chart have in common. */
export const AXIS = {
  axisLine: { show: true, lineStyle: { color: COLOUR.rule } },
  axisTick: { show: true, length: 4, lineStyle: { color: COLOUR.rule } },
  axisLabel: { ...FONT },
  nameTextStyle: { ...FONT },
  splitLine: { show: false },
  // Names stand where they are put, even where a label is near.
  nameMoveOverlap: false,
} as const;

export const TOOLTIP = {
  confine: true,
  transitionDuration: 0,
  backgroundColor: "var(--page)",
  borderColor: "var(--rule)",
  borderWidth: 1,
  padding: [8, 10],
  textStyle: { color: "var(--text)", fontSize: 13, fontFamily: FAMILY },
  extraCssText: "box-shadow:none;border-radius:2px;",
};

export interface ChartSpec {
  /** Name under which tests and the address know it. */
  id: string;
  /** What it shows, for readers who cannot see it. */
  label: string;
  height_px: number | "fill";
  /** Charts of one group show their pointer together. */
  group?: string;
  /** The stretch of the time axis that is shown, drawn with the mouse. */
  zoom?: Zoom | undefined;
  /** Told where on the time axis the pointer is; null: elsewhere. */
  onPointer?: (second: number | null) => void;
  option: (width_px: number, height_px: number) => ChartOption;
  /** Cell that a clicked point belongs to. */
  onCell?: (id: string) => void;
}

interface Mounted {
  chart: ECharts;
  spec: ChartSpec;
  /** Ends what it watches. */
  release: () => void;
}

const mounted = new Map<HTMLElement, Mounted>();

let observer: IntersectionObserver | null = null;

/** Draws what comes near the window. */
function pending(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) draw(entry.target as HTMLElement);
      }
    },
    { rootMargin: "300px" },
  );
  return observer;
}
const specs = new WeakMap<HTMLElement, ChartSpec>();

const resized =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const entry of entries) {
          const one = mounted.get(entry.target as HTMLElement);
          const width = entry.contentRect.width;
          if (!one || width === 0) continue;
          const { chart, spec } = one;
          if (
            chart.getWidth() === Math.round(width) &&
            chart.getHeight() === Math.round(entry.contentRect.height)
          )
            continue;
          chart.resize();
          show(chart, spec, width, entry.contentRect.height);
        }
      });

/** The place of a chart. It is drawn when it comes near the window. */
export function chart(spec: ChartSpec): HTMLElement {
  const attributes: Record<string, string> = {
    class: "chart",
    role: "img",
    "aria-label": spec.label,
    "data-chart": spec.id,
  };
  if (spec.height_px !== "fill") attributes["style"] = `height:${spec.height_px}px`;
  const place = h("div", attributes);
  specs.set(place, spec);
  pending().observe(place);
  return place;
}

function show(drawn: ECharts, spec: ChartSpec, width_px: number, height_px: number): void {
  const option = spec.option(width_px, height_px);
  drawn.setOption(
    { animation: false, ...stretched(option, spec.zoom?.stretch() ?? null) },
    { notMerge: true },
  );
}

/** The same chart of a stretch of its time axis. */
function stretched(option: ChartOption, stretch: Stretch | null): ChartOption {
  if (stretch === null || !Array.isArray(option.xAxis)) return option;
  const [min, max] = stretch;
  return { ...option, xAxis: option.xAxis.map((axis) => ({ ...axis, min, max }) as typeof axis) };
}

function draw(place: HTMLElement): void {
  const spec = specs.get(place);
  const width = place.clientWidth;
  if (!spec || mounted.has(place) || width === 0) return;
  pending().unobserve(place);
  const drawn = init(place, null, { renderer: "svg" });
  mounted.set(place, { chart: drawn, spec, release: zoomed(place, drawn, spec) });
  show(drawn, spec, width, place.clientHeight);
  const { onPointer } = spec;
  if (onPointer) {
    drawn.on("updateAxisPointer", (event) => {
      const { axesInfo } = event as { axesInfo?: { value?: number }[] };
      onPointer(axesInfo?.[0]?.value ?? null);
    });
  }
  if (spec.group !== undefined) {
    drawn.group = spec.group;
    connect(spec.group);
  }
  const { onCell } = spec;
  if (onCell) {
    drawn.on("click", (event) => {
      const cell = (event.data as { cell?: string } | undefined)?.cell;
      if (cell !== undefined) onCell(cell);
    });
  }
  resized?.observe(place);
}

/** Lets a chart be zoomed with those that share its stretch. */
function zoomed(place: HTMLElement, drawn: ECharts, { zoom, ...spec }: ChartSpec): () => void {
  if (!zoom) return () => {};
  place.classList.add("zoomable");
  dragToZoom(place, zoom, (x_px) => Number(drawn.convertFromPixel({ xAxisIndex: 0 }, x_px)));
  return zoom.watch(() => show(drawn, { ...spec, zoom }, drawn.getWidth(), drawn.getHeight()));
}

/** Draws every chart that has a size now: paper has no window to come into. */
function drawAll(): void {
  for (const place of document.querySelectorAll<HTMLElement>(".chart")) draw(place);
}

/** Draws every chart anew, as wide and high as its place is now. */
export function fitAll(): void {
  drawAll();
  for (const [place, one] of mounted) fit(place, one);
}

function fit(place: HTMLElement, { chart, spec }: Mounted): void {
  const [width, height] = [place.clientWidth, place.clientHeight];
  if (width === 0 || height === 0) return;
  chart.resize({ width, height });
  show(chart, spec, width, height);
  // On paper of another size the drawing shrinks with its place.
  place.querySelector("svg")?.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

/** A chart as an SVG document whose colours are still names of CSS variables; drawn first if it is not yet. */
export function svgOf(
  place: HTMLElement,
): { svg: string; width_px: number; height_px: number } | null {
  draw(place);
  const one = mounted.get(place);
  if (!one) return null;
  return {
    svg: one.chart.renderToSVGString(),
    width_px: one.chart.getWidth(),
    height_px: one.chart.getHeight(),
  };
}

/** Forgets all charts, before the page is built again in another language. */
export function disposeAll(): void {
  disposeIn(document.body);
}

/** Forgets the charts within an element, before others take their place. */
export function disposeIn(element: HTMLElement): void {
  for (const place of element.querySelectorAll<HTMLElement>(".chart")) {
    pending().unobserve(place);
    const one = mounted.get(place);
    if (!one) continue;
    mounted.delete(place);
    resized?.unobserve(place);
    one.release();
    one.chart.dispose();
  }
}

/** The options of a drawn chart, for tests. */
export function optionOf(id: string): unknown {
  for (const { chart, spec } of mounted.values()) {
    if (spec.id === id) return chart.getOption();
  }
  return undefined;
}

/** Names of the charts drawn so far, for tests. */
export function drawnCharts(): string[] {
  return [...mounted.values()].map((m) => m.spec.id);
}
