// Instances side by side: S at each number of clients, and what the controls say of each hypothesis.

import { type Child, h } from "../dom";
import { decimalsOfAll, fixed } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type { Colocation, ColocationPoint, Hypothesis, View } from "../view";
import { note, section } from "./section";

export function colocation(view: View): HTMLElement | null {
  const all = view.colocations ?? [];
  if (all.length === 0) return null;
  const parts = all.flatMap((one): Child[] => [
    all.length > 1 && h("h3", {}, one.workload),
    h("p", {}, t("sentence", { text: say(one.says) })),
    points(one),
    hypotheses(one),
  ]);
  return section("colocation", t("colocation"), note(t("colocation-note")), ...parts);
}

function points(of: Colocation): HTMLElement {
  const figures = of.points.flatMap((p) => [p.alone_per_s, p.together_per_s]);
  const columns: Column<ColocationPoint>[] = [
    { head: t("clients-each"), value: (p) => p.threads },
    { head: t("clients-in-all"), value: (p) => p.threads * of.instances },
    { head: t("alone-tps"), value: (p) => p.alone_per_s, decimals: decimalsOfAll(figures) },
    {
      head: t("together-tps", { instances: of.instances }),
      value: (p) => p.together_per_s,
      decimals: decimalsOfAll(figures),
    },
    {
      head: "S",
      value: (p) => p.s.mean,
      show: ({ s }) =>
        s.low === null || s.high === null
          ? fixed(s.mean, 2)
          : `${fixed(s.mean, 2)} [${fixed(s.low, 2)}, ${fixed(s.high, 2)}]`,
    },
    { head: t("verdict"), value: (p) => t("s-is", { standing: p.standing }) },
  ];
  return table({ caption: `${t("colocation")} · ${of.workload}`, columns, rows: of.points });
}

function hypotheses(of: Colocation): HTMLElement {
  const columns: Column<Hypothesis>[] = [
    {
      head: t("hypothesis"),
      value: (one) => t("labelled", { label: say(one.name), text: say(one.claim) }),
    },
    { head: t("verdict"), value: (one) => t("hypothesis-is", { standing: one.standing }) },
    { head: t("evidence-column"), value: (one) => say(one.evidence) },
  ];
  return table({
    caption: `${t("hypotheses")} · ${of.workload}`,
    columns,
    rows: of.hypotheses,
  });
}
