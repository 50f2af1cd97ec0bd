// The names of targets at the ends of their curves, moved apart where they would overlap.

import type { ScatterSeriesOption } from "echarts/charts";
import { COLOUR, FAMILY, style } from "./base";

/** Between the last point and the name of its curve. */
const LABEL_GAP_PX = 14;
/** What of it remains at the edge of the chart: points stand a little inside their axis. */
export const LABEL_EDGE_PX = 6;
/** Size of a name. */
const NAME_PX = 13;

/** Where the name of a target stands, and what is said under it. */
export interface End {
  x: number;
  height: number;
  note: string;
}

/** Room for the names at the ends: as much as the longest takes, but never more than a third of the chart. */
export function endRoom(names: { label: string; note: string }[], width_px: number): number {
  const widths = names.map(({ label, note }) =>
    Math.max(widthOf(label, `600 ${NAME_PX}px`), widthOf(note, "400 11px")),
  );
  return Math.min(Math.max(...widths, 50) + LABEL_GAP_PX, width_px / 3);
}

let canvas: CanvasRenderingContext2D | null = null;

/** Width of a text as it is drawn, with a pixel to spare for rounding. */
export function widthOf(text: string, font: string): number {
  if (typeof document === "undefined") return text.length * 8;
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return text.length * 8;
  canvas.font = `${font} ${FAMILY}`;
  return Math.ceil(canvas.measureText(text).width) + 1;
}

/** The target's name at the end of its curve. */
export function endLabel(
  end: End | null,
  target: number,
  label: string,
  place: { shift_px: number; width_px: number; away_px?: number },
): ScatterSeriesOption {
  const second = end?.note ?? "";
  const fontSize = NAME_PX;
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
      distance: 9 + (place.away_px ?? 0),
      offset: [0, place.shift_px],
      formatter: second === "" ? `{name|${label}}` : `{name|${label}}\n{small|${second}}`,
      color: style(target).ink,
      fontFamily: FAMILY,
      fontSize,
      fontWeight: 600,
      width: place.width_px,
      overflow: "truncate",
      rich: {
        name: { fontWeight: 600, fontSize, color: style(target).ink, fontFamily: FAMILY },
        small: {
          fontWeight: 400,
          fontSize: 11,
          color: COLOUR.muted,
          fontFamily: FAMILY,
          padding: [3, 0, 0, 0],
        },
      },
    },
    data: end ? [{ value: [end.x, end.height] }] : [],
  };
}
