// Numbers as people read them. Both languages of the page group thousands with commas.

import { t } from "./i18n";

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

/** Decimals of a column whose least figure is to have two significant digits too. */
export function decimalsOfAll(values: number[]): number {
  const least = Math.min(...values.filter((v) => v > 0));
  const own = Number.isFinite(least)
    ? Math.min(3, Math.max(0, 1 - Math.floor(Math.log10(least))))
    : 0;
  return Math.max(own, decimalsOf(values));
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

/** The two ends of an interval, `[1,210, 1,402]`; empty for a single repeat. */
export function ends({ low, high }: { low: number | null; high: number | null }): string {
  if (low === null || high === null) return "";
  const decimals = Math.min(decimalsFor(high), 3);
  return `[${fixed(low, decimals)}, ${fixed(high, decimals)}]`;
}

/** Beyond such a factor to both sides the ends of an interval say no more than that. */
const FACTOR_MOST = 100;

/** The ends of the interval of a ratio; words where they are absurdly far apart, and for a single repeat a dash. */
export function ratioEnds({ low, high }: { low: number | null; high: number | null }): string {
  if (low === null || high === null) return NOTHING;
  if (low <= 1 / FACTOR_MOST && high >= FACTOR_MOST) return t("beyond-hundredfold");
  const one = (value: number): string =>
    value >= 0.1 && value < 100 ? fixed(value, 2) : figure(value);
  return `[${one(low)}, ${one(high)}]`;
}

/** Bytes: three significant digits in the largest binary unit that is not below 1, as messages::number::bytes writes them. */
export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  // 1,023.7 would be shown as 1,024.
  while (value >= 1023.5 && unit + 1 < units.length) {
    value /= 1024;
    unit += 1;
  }
  const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const number = fixed(value, digits);
  return `${digits === 0 ? number : number.replace(/\.?0+$/, "")} ${units[unit]}`;
}

/** A field of a CSV file (RFC 4180). */
export function csvField(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `2026-11-20 19:42 UTC` from RFC 3339 in UTC. */
export function moment(rfc3339: string | null): string {
  return rfc3339 === null ? NOTHING : rfc3339.replace(/^(.{10})T(.{5}).*$/, "$1 $2 UTC");
}
