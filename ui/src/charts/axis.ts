// Arithmetic of the two axes that ECharts does not have: log2 with the measured values as ticks, and percentiles that
// stretch towards 100.

/** Position of a number of clients. */
export function log2(threads: number): number {
  return Math.log2(threads);
}

/** Number of clients at a position; positions come back from the chart with rounding errors. */
export function fromLog2(position: number): number {
  return Math.round(2 ** position);
}

/**
 * The ticks that are labelled: all of them where there is room, else those that keep a distance, and always the first
 * and the last.
 */
export function spacedTicks(positions: number[], width_px: number, distance_px: number): number[] {
  const first = positions[0];
  const last = positions[positions.length - 1];
  if (first === undefined || last === undefined || first === last) return positions.slice(0, 1);
  const scale = width_px / (last - first);
  const kept = [first];
  for (const position of positions.slice(1, -1)) {
    const before = kept[kept.length - 1] ?? first;
    if ((position - before) * scale >= distance_px && (last - position) * scale >= distance_px)
      kept.push(position);
  }
  return [...kept, last];
}

/** Position of a percentile: 0 at 0, 1 at 90, 2 at 99, and so on. 100 itself has none. */
export function nines(percentile: number): number {
  return percentile >= 100 ? Number.POSITIVE_INFINITY : 2 - Math.log10(100 - percentile);
}

/** Positions of a percentile curve; the maximum stands a little beyond the last percentile that has a place. */
export function ninesOf(percentiles: number[]): number[] {
  const finite = percentiles.filter((p) => p < 100).map(nines);
  const last = finite[finite.length - 1] ?? 0;
  return percentiles.map((p) => (p < 100 ? nines(p) : last + 0.3));
}

/** Ticks of a percentile axis up to a position, with their labels. */
export function ninesTicks(last: number): { position: number; label: string }[] {
  const ticks = [0, 50, 90, 99, 99.9, 99.99, 99.999].map((p) => ({
    position: nines(p),
    label: String(p),
  }));
  return ticks.filter((tick) => tick.position <= last + 1e-9);
}

/** End of an axis over time: the last second, without the thousandths that a run takes to end. */
export function lastSecond(ends_s: number[]): number {
  const last = Math.max(1, ...ends_s);
  return Math.abs(last - Math.round(last)) < 0.05 ? Math.round(last) : last;
}

/** A round number not below the greatest value, so that the axis starts at zero and ends at a tick. */
export function niceMax(greatest: number): number {
  if (!(greatest > 0)) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(greatest));
  for (const step of [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]) {
    if (greatest <= step * magnitude * 1.0000001) return step * magnitude;
  }
  return 10 * magnitude;
}

/** Heights of labels moved apart so that each keeps its own room, as little as possible and in their order. */
export function apart(heights: number[], room_px: number): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const moved = [...heights];
  // Neighbours that overlap share the shift; a few passes settle any cluster.
  for (let pass = 0; pass < 20; pass++) {
    let settled = true;
    for (let i = 1; i < order.length; i++) {
      const [upper, lower] = [order[i - 1] ?? 0, order[i] ?? 0];
      const lacking = room_px - ((moved[lower] ?? 0) - (moved[upper] ?? 0));
      if (lacking <= 0.01) continue;
      moved[upper] = (moved[upper] ?? 0) - lacking / 2;
      moved[lower] = (moved[lower] ?? 0) + lacking / 2;
      settled = false;
    }
    if (settled) break;
  }
  return moved;
}

/** The two ends and the ticks of a logarithmic axis around positive values: at 1, 2 and 5 of each power of ten where that leaves few. */
export function logAxis(values: number[]): { min: number; max: number; ticks: number[] } {
  const positive = values.filter((v) => v > 0 && Number.isFinite(v));
  const [least, greatest] =
    positive.length === 0 ? [1, 10] : [Math.min(...positive), Math.max(...positive)];
  const fine = steps(least, greatest, [1, 2, 5]);
  const ticks = fine.length <= 8 ? fine : steps(least, greatest, [1]);
  return { min: ticks[0] ?? 1, max: ticks[ticks.length - 1] ?? 10, ticks };
}

/** Round numbers from the last one not above the least value to the first one not below the greatest. */
function steps(least: number, greatest: number, digits: number[]): number[] {
  const all: number[] = [];
  for (
    let power = Math.floor(Math.log10(least)) - 1;
    power <= Math.ceil(Math.log10(greatest)) + 1;
    power++
  ) {
    for (const digit of digits) all.push(Number((digit * 10 ** power).toPrecision(6)));
  }
  const from = all.filter((v) => v <= least * 1.0000001).length - 1;
  const to = all.findIndex((v) => v >= greatest * 0.9999999);
  const found = all.slice(from, to + 1);
  // A single value stands between two ticks, not on both ends of nothing.
  return found.length > 1 ? found : all.slice(Math.max(0, from - 1), from + 2);
}

/** Ticks that ratios may have, from fine to coarse; below 1 the inverse of those above. */
const RATIOS: number[][] = [
  [1, 1.02, 1.04, 1.06, 1.08, 1.1],
  [1, 1.05, 1.1, 1.15, 1.2, 1.25],
  [1, 1.1, 1.2, 1.3, 1.4, 1.5],
  [1, 1.25, 1.5, 1.75, 2],
  [1, 1.25, 1.5, 2, 2.5, 3, 4],
  [1, 1.5, 2, 3, 4],
  [1, 2, 4, 8, 16],
  [1, 5, 10, 50, 100],
  [1, 10, 100, 1_000, 10_000, 100_000],
];

/** The ends and ticks of an axis of ratios: both sides of 1, as far as the points go; intervals may go a little further. */
export function ratioAxis(
  points: number[],
  ends: number[],
  ticks_most: number,
): { min: number; max: number; ticks: number[] } {
  const positive = (values: number[]): number[] =>
    values.filter((v) => v > 0 && Number.isFinite(v)).map(Math.log);
  const [inner, outer] = [positive(points), positive(ends)];
  const [least, greatest] = [Math.min(0, ...inner), Math.max(0, ...inner)];
  // An interval that is far wider than what was measured would press all points together: it is cut there.
  const room = Math.max(0.1, (greatest - least) * 0.75);
  const pad = Math.max(0.02, (greatest - least) * 0.08);
  const from = Math.max(Math.min(least, ...outer), least - room) - pad;
  const to = Math.min(Math.max(greatest, ...outer), greatest + room) + pad;
  for (const above of RATIOS) {
    const all = [...above.slice(1).map((v) => 1 / v), ...above].sort((a, b) => a - b);
    const ticks = all.filter((v) => Math.log(v) >= from && Math.log(v) <= to);
    const near = (to - from) / 5;
    const covers =
      Math.log(all[0] ?? 1) <= from + near && Math.log(all[all.length - 1] ?? 1) >= to - near;
    if (covers && ticks.length <= ticks_most)
      return { min: Math.exp(from), max: Math.exp(to), ticks };
  }
  return { min: Math.exp(from), max: Math.exp(to), ticks: [1] };
}
