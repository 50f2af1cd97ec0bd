// Which differences between two targets matter: what each explains, alone and beside the others.

import { type Child, h } from "../dom";
import { fixed } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type { Bisection, FoundDifference, NotStarted, View } from "../view";
import { note, section } from "./section";

export function bisect(view: View): HTMLElement | null {
  const all = view.bisections ?? [];
  if (all.length === 0) return null;
  const parts = all.flatMap((one): Child[] => [
    one.found.length > 0 && found(one),
    h("p", {}, say(one.evidence)),
    one.not_started.length > 0 && notStarted(one),
  ]);
  return section("bisect", t("bisect"), note(t("bisect-note")), ...parts);
}

type Interval = { value: number; low: number; high: number } | null;

const percent = (of: Interval): string =>
  of === null
    ? ""
    : `${fixed(of.value * 100, 0)} % [${fixed(of.low * 100, 0)}, ${fixed(of.high * 100, 0)}]`;

const factor = (of: Interval): string =>
  of === null ? "" : `${fixed(of.value, 2)}x [${fixed(of.low, 2)}, ${fixed(of.high, 2)}]`;

function found(of: Bisection): HTMLElement {
  const columns: Column<FoundDifference>[] = [
    { head: t("bisect-difference"), value: (one) => one.name },
    { head: of.base, value: (one) => say(one.base) },
    { head: of.other, value: (one) => say(one.other) },
    {
      head: t("bisect-share"),
      value: (one) => one.share?.value ?? null,
      show: (one) => percent(one.share),
    },
    {
      head: t("bisect-alone", { base: of.base }),
      value: (one) => one.alone?.value ?? null,
      show: (one) => factor(one.alone),
    },
    {
      head: t("bisect-last", { other: of.other }),
      value: (one) => one.last?.value ?? null,
      show: (one) => factor(one.last),
    },
    {
      head: t("verdict"),
      value: (one) => t(one.named ? "bisect-confirmed" : "bisect-not-confirmed"),
    },
  ];
  return table({ caption: `${t("bisect")} · ${of.workload}`, columns, rows: of.found });
}

function notStarted(of: Bisection): HTMLElement {
  const columns: Column<NotStarted>[] = [
    { head: t("bisect-combination", { other: of.other }), value: (one) => one.taken.join(", ") },
    { head: t("reason"), value: (one) => say(one.why) },
  ];
  return table({ caption: t("bisect-not-started"), columns, rows: of.not_started });
}
