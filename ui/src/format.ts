// Numbers as people read them. Both languages of the page group thousands with commas.

/** What stands where there is no figure. */
export const NOTHING = "–";

/** A number with a fixed count of decimals and thousands separators. */
export function fixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING;
  const [whole = "0", fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? "-" : "";
  return sign + grouped + (fraction === undefined ? "" : `.${fraction}`);
}

/** Decimals that leave a number three significant digits. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 99.95 || size === 0) return 0;
  if (size >= 9.995) return 1;
  if (size >= 0.9995) return 2;
  // Beyond a millionth there is nothing to read.
  return Math.min(6, Math.max(3, 2 - Math.floor(Math.log10(size))));
}

/** Decimals of a column whose greatest figure is to have three significant digits. */
export function decimalsOf(values: number[]): number {
  return decimalsFor(Math.max(0, ...values.map(Math.abs)));
}

/** A unit as people write it. */
export function unitName(unit: string): string {
  return unit === "us" ? "µs" : unit;
}

/** A rate or a time with three significant digits. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOTHING;
  return fixed(value, decimalsFor(value));
}

/** A label on a value axis: as short as it can be. */
export function axisNumber(value: number): string {
  const short = Number(value.toPrecision(6));
  const decimals = String(short).split(".")[1]?.length ?? 0;
  return fixed(short, Math.min(decimals, 3));
}

/** A share as a percentage. */
export function percent(share: number | null | undefined, decimals = 1): string {
  return share === null || share === undefined ? NOTHING : `${fixed(share * 100, decimals)} %`;
}

/** Half the width of an interval as a share of its mean, such as `±2 %`; empty for a single run. */
export function plusMinus(estimate: { mean: number; low: number | null; high: number | null }): string {
  const { mean, low, high } = estimate;
  if (low === null || high === null || mean <= 0) return "";
  const share = ((high - low) / 2 / mean) * 100;
  return share < 0.5 ? "±<1 %" : `±${share.toFixed(0)} %`;
}

/** Bytes in binary units. */
export function bytes(value: number): string {
  const units: [number, string][] = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ];
  for (const [size, unit] of units) {
    if (value >= size) return `${fixed(value / size, value % size === 0 || value >= 100 * size ? 0 : 1)} ${unit}`;
  }
  return `${value} B`;
}

/** A field of a CSV file (RFC 4180). */
export function csvField(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `2026-11-20 19:42 UTC` from RFC 3339 in UTC. */
export function moment(rfc3339: string | null): string {
  return rfc3339 === null ? NOTHING : rfc3339.replace(/^(.{10})T(.{5}).*$/, "$1 $2 UTC");
}
