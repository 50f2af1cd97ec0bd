// Where transactions spend the time by which two targets differ: a waterfall from one mean response time to the other.

import { style } from "../charts/base";
import { type Child, h } from "../dom";
import { decimalsOfAll, figure, fixed } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type { Explanation, PartChange, View } from "../view";
import { note, section } from "./section";

/** A part with less than this of the response time on both targets has no row of its own, unless it carries a difference. */
const WORTH_A_ROW = 0.02;
/** So many pairs of targets are drawn. */
const PAIRS_MAX = 4;

/** Of each pair of targets the number of clients at which they differ most, those pairs first that differ most. */
export function leading(view: View): Explanation[] {
  const size = (one: Explanation): number => Math.abs(Math.log(one.other_ms / one.base_ms));
  return (view.explanations ?? [])
    .filter((one) => one.leads)
    .sort((one, two) => size(two) - size(one));
}

export function where(view: View): HTMLElement | null {
  const shown = leading(view).slice(0, PAIRS_MAX);
  if (shown.length === 0) return null;
  return section(
    "where",
    t("where"),
    note(t("where-note")),
    ...shown.flatMap((one) => [
      h("p", {}, say(one.says)),
      one.resources.length > 0 && parts(view, one, "cause", one.resources),
      parts(view, one, "statement", one.statements),
    ]),
  );
}

/** A step of the waterfall: from the response time before the part to that after it. */
export interface Step {
  part: PartChange;
  from_ms: number;
  to_ms: number;
}

/** The parts in their order, those that are small put together; each begins where the one before it ended. */
export function steps(one: Explanation, all: PartChange[], others: string): Step[] {
  const least = WORTH_A_ROW * Math.max(one.base_ms, one.other_ms);
  const own = (part: PartChange): boolean =>
    part.named || part.id === "unattributed" || Math.max(part.base_ms, part.other_ms) >= least;
  const small = all.filter((part) => !own(part));
  const sum = (of: (part: PartChange) => number): number =>
    small.reduce((total, part) => total + of(part), 0);
  const rest: PartChange = {
    id: "others",
    label: { en: others, zh: others },
    base_ms: sum((part) => part.base_ms),
    other_ms: sum((part) => part.other_ms),
    change_ms: { mean: sum((part) => part.change_ms.mean), low: null, high: null, n: 0 },
    named: false,
  };
  let at_ms = one.base_ms;
  return [...all.filter(own), ...(small.length > 0 ? [rest] : [])].map((part) => {
    const from_ms = at_ms;
    at_ms += part.change_ms.mean;
    return { part, from_ms, to_ms: at_ms };
  });
}

function parts(
  view: View,
  one: Explanation,
  by: "cause" | "statement",
  all: PartChange[],
): HTMLElement {
  const whole: PartChange = {
    id: "whole",
    label: { en: t("where-whole"), zh: t("where-whole") },
    base_ms: one.base_ms,
    other_ms: one.other_ms,
    change_ms: one.change_ms,
    named: true,
  };
  const rows: Step[] = [
    ...steps(one, all, t("where-others")),
    { part: whole, from_ms: one.base_ms, to_ms: one.other_ms },
  ];
  const ends_ms = rows.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]);
  const [low, high] = [Math.min(...ends_ms), Math.max(...ends_ms)];
  const decimals = decimalsOfAll(rows.flatMap(({ part }) => [part.base_ms, part.other_ms]));
  const signed = (ms: number): string => `${ms > 0 ? "+" : ""}${fixed(ms, decimals)}`;
  const change = ({ part }: Step): string => {
    const { mean, low, high } = part.change_ms;
    const interval = low === null || high === null ? "" : ` [${signed(low)}, ${signed(high)}]`;
    return `${signed(mean)}${interval}`;
  };
  const label = ({ part }: Step): Child =>
    part.named ? h("b", {}, say(part.label)) : say(part.label);
  const columns: Column<Step>[] = [
    { head: t("where-by", { by }), value: ({ part }) => say(part.label), show: label },
    { head: one.base, value: ({ part }) => part.base_ms, decimals },
    { head: one.other, value: ({ part }) => part.other_ms, decimals },
    { head: t("where-change"), value: ({ part }) => part.change_ms.mean, show: change },
    {
      head: t("where-from-to", { from: figure(one.base_ms), to: figure(one.other_ms) }),
      value: () => null,
      show: (step) => bar(step, low, high, colourOf(view, step.part, one)),
    },
  ];
  const caption = t("where-of", {
    workload: one.workload,
    clients: t("clients-count", { count: one.threads }),
    by: t("where-by", { by }),
  });
  return table({ caption, columns, rows });
}

/** What takes longer has the colour of the target on which it does. */
function colourOf(view: View, part: PartChange, one: Explanation): string {
  const slower = part.change_ms.mean > 0 ? one.other : one.base;
  return style(
    Math.max(
      0,
      view.targets.findIndex(({ label }) => label === slower),
    ),
  ).colour;
}

function bar({ from_ms, to_ms, part }: Step, low: number, high: number, colour: string): Child {
  const share = (ms: number): number => (high > low ? ((ms - low) / (high - low)) * 100 : 0);
  const left = share(Math.min(from_ms, to_ms));
  const width = Math.max(0.8, share(Math.max(from_ms, to_ms)) - left);
  const faint = part.named ? "" : ";opacity:0.45";
  const place = `left:${left.toFixed(2)}%;width:${width.toFixed(2)}%;background:${colour}${faint}`;
  return h("span", { class: "waterfall", "aria-hidden": "true" }, h("i", { style: place }));
}
