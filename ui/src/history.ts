// What the chart of a history draws, from its series.

import type { HistoryLine } from "./view";

/** Means of the levels: from one change-point (or the beginning) to the next (or the end). */
export function levels(series: HistoryLine): { from: number; to: number; mean: number }[] {
  const edges = [0, ...series.shifts.map((shift) => shift.point), series.points.length];
  return edges.slice(1).flatMap((to, i) => {
    const from = edges[i] ?? 0;
    const part = series.points.slice(from, to);
    if (part.length === 0) return [];
    return [
      { from, to: to - 1, mean: part.reduce((sum, point) => sum + point.mean, 0) / part.length },
    ];
  });
}

/** The two ends of a value axis around all values and intervals, and the distance of its ticks; from zero if that is near enough. */
export function range(series: HistoryLine): [number, number, number] {
  const ends = series.points
    .flatMap((point) => [point.mean, point.low ?? point.mean, point.high ?? point.mean])
    .filter(Number.isFinite);
  if (ends.length === 0) return [0, 1, 1];
  const [least, greatest] = [Math.max(0, Math.min(...ends)), Math.max(...ends)];
  // A break of the axis that saves less than half of it only misleads.
  const from = least < greatest / 2 ? 0 : least;
  const room = Math.max(greatest - from, greatest * 0.02);
  const magnitude = 10 ** Math.floor(Math.log10(room / 4));
  const step = ([1, 2, 5].find((one) => one * magnitude >= room / 4) ?? 10) * magnitude;
  return [
    Math.max(0, Math.floor((from - room * 0.05) / step) * step),
    Math.ceil((greatest + room * 0.05) / step) * step,
    step,
  ];
}
