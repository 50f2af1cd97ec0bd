// What to keep in mind: every reason behind the line on validity, and recommendations of high severity.

import { style } from "../charts/base";
import { h } from "../dom";
import { say, t } from "../i18n";
import type { TargetAdvice, View } from "../view";
import { wholeFailure } from "./answer";
import { withOptions } from "./command";
import { note, section } from "./section";
import { inLanguage } from "./translated";

export function caveats(view: View): HTMLElement | null {
  const { reasons } = view.trust;
  // That nothing completed stands at the head already.
  if (wholeFailure(view) && reasons.every(({ id }) => id === "nothing_completed")) return null;
  const items = reasons.map((reason) =>
    h("li", { class: `trust ${reason.level}` }, ...withOptions(say(reason.text))),
  );
  const list = items.length === 0 ? note(t("caveats-none")) : h("ul", { class: "plain" }, ...items);
  return section("caveats", t("caveats"), list, urgent(view));
}

type Item = TargetAdvice["items"][number];

/** Recommendations of high severity, each once with the targets it concerns; what to do about them stands further down. */
function urgent(view: View): HTMLElement | null {
  const high = (view.advice ?? []).flatMap(({ target, items }) =>
    items.filter(({ advice }) => advice.severity === "high").map((item) => ({ target, item })),
  );
  if (high.length === 0) return null;
  const byText = new Map<string, { item: Item; targets: number[] }>();
  for (const { target, item } of high) {
    const key = `${item.advice.id} ${item.advice.evidence}`;
    const known = byText.get(key) ?? { item, targets: [] };
    known.targets.push(target);
    byText.set(key, known);
  }
  const one = ({ item, targets }: { item: Item; targets: number[] }): HTMLElement => {
    const names = targets.map((target) =>
      h(
        "span",
        { class: "name" },
        h("i", { class: "swatch", style: `background:${style(target).colour}` }),
        view.targets[target]?.label ?? "",
      ),
    );
    return h("li", {}, ...names, ...inLanguage(item.advice.evidence, item.advice.evidence_zh));
  };
  return h(
    "div",
    { class: "urgent" },
    h("h3", {}, t("urgent")),
    h("ul", { class: "plain" }, ...[...byText.values()].map(one)),
    h("p", { class: "note no-print" }, h("a", { href: "#advice" }, t("urgent-more"))),
  );
}
