// Means of intervals as steps: each value stands from the beginning to the end of its own interval, so that a long interval is
// long in the chart too, and one without a value is a hole.

type Corner = [number, number | "-"];

/** Beginnings of intervals that follow each other, the first from the length that most have. */
export function beginnings(ends_s: number[]): number[] {
  const lengths = ends_s.slice(1).map((end, i) => end - (ends_s[i] ?? 0));
  const usual = median(lengths);
  const first = (end: number): number =>
    lengths.length === 0 || end <= usual * 1.5 ? 0 : end - usual;
  return ends_s.map((end, i) => (i === 0 ? first(end) : (ends_s[i - 1] ?? 0)));
}

/** The corners of the steps. */
export function steps(ends_s: number[], values: (number | null | undefined)[]): Corner[] {
  const begins = beginnings(ends_s);
  const least_s = median(ends_s.map((end, i) => end - (begins[i] ?? 0))) / 50;
  return ends_s.flatMap((end, i): Corner[] => {
    const [begin, value] = [begins[i] ?? 0, values[i] ?? null];
    // Late ticks leave slivers, whose rates say nothing.
    if (end - begin < least_s) return [];
    if (value === null) return [[begin, "-"]];
    return [
      [begin, value],
      [end, value],
    ];
  });
}

/** Readings of one moment each, joined by lines; where one or more are missing the line is broken. */
export function joined(at_s: number[], values: (number | null | undefined)[]): Corner[] {
  const usual = median(at_s.slice(1).map((at, i) => at - (at_s[i] ?? 0)));
  return at_s.flatMap((at, i): Corner[] => {
    const before = at_s[i - 1];
    const hole: Corner[] =
      before !== undefined && at - before > usual * 2.5 ? [[(at + before) / 2, "-"]] : [];
    return [...hole, [at, values[i] ?? "-"]];
  });
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
