// Last: recommendations for each target, from what was seen of its server while it was measured.

import { style } from "../charts/base";
import { type Child, h } from "../dom";
import { joined, type Plain, t } from "../i18n";
import type { TargetAdvice, View } from "../view";
import { heading, note, section } from "./section";
import { unseen } from "./server";
import { inLanguage } from "./translated";

type Item = TargetAdvice["items"][number];

export function advice(view: View): HTMLElement | null {
  const given = view.advice ?? [];
  if (given.length === 0) return null;
  return section(
    "advice",
    t("advice"),
    note(t("advice-note")),
    ...given.map((one) => ofTarget(view, one)),
  );
}

/** Numbers of clients to say beside a finding: none where it was found in every cell that was measured. */
export function foundAt(found: number[], measured: number[]): number[] {
  return measured.every((threads) => found.includes(threads))
    ? []
    : [...found].sort((a, b) => a - b);
}

function ofTarget(view: View, { target, items, unseen: hidden }: TargetAdvice): HTMLElement {
  const measured = view.cells
    .filter((c) => c.target === target && c.throughput_per_s !== null)
    .map((c) => c.threads);
  const grave = items.filter((item) => item.advice.severity !== "low");
  const low = items.filter((item) => item.advice.severity === "low");
  const list = (of: Item[], start: number): HTMLElement | null =>
    of.length === 0
      ? null
      : h("ol", { class: "advice", start }, ...of.map((item) => finding(item, measured)));
  return h(
    "div",
    { class: "block" },
    heading(
      "h3",
      `advice-${target}`,
      view.targets[target]?.label ?? "",
      h("i", { class: "swatch", style: `background:${style(target).colour}` }),
    ),
    grave.length === 0 && h("p", {}, t(low.length === 0 ? "advice-none" : "advice-none-grave")),
    list(grave, 1),
    low.length > 0 &&
      h(
        "details",
        { class: "fold" },
        h("summary", {}, t("advice-low", { count: low.length })),
        list(low, grave.length + 1),
      ),
    unseen(hidden),
  );
}

/** A statement or a setting, not a sentence. */
function isStatement(action: string): boolean {
  return /^([A-Z]{3,} |[a-z0-9_]+ = )/.test(action);
}

function finding({ advice: said, clients }: Item, measured: number[]): HTMLElement {
  const words = (text: string, zh?: string): HTMLElement => h("span", {}, ...inLanguage(text, zh));
  const at = foundAt(clients, measured);
  const entries: [Plain, Child][] = [
    [
      "hint",
      isStatement(said.action)
        ? h("code", { lang: "en" }, said.action)
        : words(said.action, said.action_zh),
    ],
    ["advice-why", words(said.why, said.why_zh)],
    ["advice-cost", words(said.cost, said.cost_zh)],
  ];
  // Only what is an address of a page becomes a link.
  const manual =
    /^https:\/\//.test(said.manual) &&
    h("a", { href: said.manual, rel: "noopener", target: "_blank" }, t("advice-manual"));
  return h(
    "li",
    {},
    h(
      "p",
      { class: "evidence" },
      h("span", { class: `severity ${said.severity}` }, t("severity", { severity: said.severity })),
      " ",
      h("code", {}, ...inLanguage(said.evidence, said.evidence_zh)),
    ),
    at.length > 0 &&
      h("p", { class: "note" }, t("advice-at", { clients: joined("join-list", at.map(String)) })),
    h(
      "dl",
      {},
      ...entries.flatMap(([label, value]) => [h("dt", {}, t(label)), h("dd", {}, value)]),
    ),
    manual && h("p", { class: "manual" }, manual),
  );
}
