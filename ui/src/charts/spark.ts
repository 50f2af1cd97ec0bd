// A line of a finger's breadth: throughput of a cell's first completed repeat in steps, from zero.

import type { Cell } from "../view";
import { style } from "./base";
import { beginnings } from "./steps";

const [WIDTH, HEIGHT] = [96, 20];
const SVG = "http://www.w3.org/2000/svg";

/** The path of the steps in a box; empty of fewer than three intervals. */
export function sparkPath(
  ends_s: number[],
  values: (number | null)[],
  width: number,
  height: number,
): string {
  if (ends_s.length < 3) return "";
  const [end, greatest] = [ends_s[ends_s.length - 1] ?? 1, Math.max(...values.map((v) => v ?? 0))];
  if (!(greatest > 0)) return "";
  const begins = beginnings(ends_s);
  const at = (s: number, v: number): string =>
    `${((s / end) * width).toFixed(1)} ${(height - 1 - (v / greatest) * (height - 2)).toFixed(1)}`;
  return ends_s
    .map(
      (to, i) =>
        `${i === 0 ? "M" : "L"}${at(begins[i] ?? 0, values[i] ?? 0)}L${at(to, values[i] ?? 0)}`,
    )
    .join("");
}

/** Nothing of a cell without seconds. It is for the eye only: the cell has the chart and its table. */
export function spark(cell: Cell): SVGElement | null {
  const trial = cell.trials.find(
    (one) => one.outcome === "completed" && one.series.end_s.length >= 3,
  );
  if (!trial) return null;
  const { end_s, throughput_per_s, warmup_intervals } = trial.series;
  const path = sparkPath(end_s, throughput_per_s, WIDTH, HEIGHT);
  if (path === "") return null;
  const svg = document.createElementNS(SVG, "svg");
  const add = (name: string, attributes: Record<string, string>): void => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    svg.append(element);
  };
  for (const [key, value] of Object.entries({
    class: "spark",
    width: String(WIDTH),
    height: String(HEIGHT),
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    "aria-hidden": "true",
  }))
    svg.setAttribute(key, value);
  const warm_s = warmup_intervals > 0 ? (end_s[warmup_intervals - 1] ?? 0) : 0;
  const share = warm_s / (end_s[end_s.length - 1] ?? 1);
  if (share > 0)
    add("rect", {
      x: "0",
      y: "0",
      width: (share * WIDTH).toFixed(1),
      height: String(HEIGHT),
      style: "fill:var(--rule);opacity:.5",
    });
  add("path", { d: path, style: `fill:none;stroke:${style(cell.target).colour};stroke-width:1.3` });
  return svg;
}
