// Which recommendations help: each was tried on a sandbox against the current settings.

import { h } from "../dom";
import { fixed } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type {
  Effect,
  RecommendationEffect,
  RecommendationProof,
  UntriedReason,
  View,
} from "../view";
import { note, section } from "./section";

export function proof(view: View): HTMLElement | null {
  const all = view.proofs ?? [];
  if (all.length === 0) return null;
  const parts = all.flatMap((one) => [tried(one), h("p", {}, say(one.says))]);
  return section("proof", t("proof"), note(t("proof-note")), ...parts);
}

type Row = Pick<RecommendationEffect, "id" | "set" | "ratio" | "low" | "high"> & { result: string };

const effects: Record<Effect, () => string> = {
  helps: () => t("proof-helps"),
  none: () => t("proof-none"),
  harms: () => t("proof-harms"),
  undecided: () => t("proof-undecided"),
  not_valid: () => t("proof-not-valid"),
  cannot_be_tried: () => t("proof-cannot-be-tried"),
  not_measured: () => t("proof-not-measured"),
};

const reasons: Record<UntriedReason, () => string> = {
  no_setting: () => t("proof-not-tried-no-setting"),
  weakens_durability: () => t("proof-not-tried-weakens-durability"),
};

function rows(of: RecommendationProof): Row[] {
  const result = (one: RecommendationEffect): string => {
    const why = say(one.why);
    return why === "" ? effects[one.effect]() : `${effects[one.effect]()}: ${why}`;
  };
  const measured = [...of.tried, ...(of.together === null ? [] : [of.together])];
  const untried = { set: [], ratio: null, low: null, high: null };
  return [
    ...measured.map((one) => ({
      ...one,
      id: one.id === "" ? t("proof-all") : one.id,
      set: one.id === "" ? [] : one.set,
      result: result(one),
    })),
    ...of.not_tried.map((one) => ({ id: one.id, ...untried, result: reasons[one.why]() })),
  ];
}

const interval = (low: number | null, high: number | null): string =>
  low === null || high === null ? "" : ` [${fixed(low, 2)}, ${fixed(high, 2)}]`;

function tried(of: RecommendationProof): HTMLElement {
  const columns: Column<Row>[] = [
    { head: t("proof-recommendation"), value: (one) => one.id },
    { head: t("proof-settings"), value: (one) => one.set.join(", ") },
    {
      head: t("proof-throughput"),
      value: (one) => one.ratio,
      show: (one) =>
        one.ratio === null ? "" : `${fixed(one.ratio, 2)}x${interval(one.low, one.high)}`,
    },
    { head: t("proof-result"), value: (one) => one.result },
  ];
  return table({ caption: `${t("proof")} · ${of.workload}`, columns, rows: rows(of) });
}
