// What else changed, in a few words.

import { fixed } from "../format";
import { joined, say, t } from "../i18n";
import type { CircumstanceChange } from "../view";

/** `mysql version: 9.7.3 → 9.7.4`. */
export function changeText({ target, name, from, to }: CircumstanceChange): string {
  const change = { name: say(name), from, to };
  return target === null ? t("change", change) : t("change-of", { target, ...change });
}

/** Changes in a row. */
export function changesText(changes: CircumstanceChange[]): string {
  return joined("join-clauses", changes.map(changeText));
}

/** `-10.0 %`. */
export function percentOf(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change >= 0 ? "+" : ""}${fixed(change, 1)} %`;
}
