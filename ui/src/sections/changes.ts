// What else changed, in a few words.

import { fixed } from "../format";
import type { HistoryChange } from "../view";
import { say, t } from "../i18n";

/** `mysql version: 9.7.3 → 9.7.4`. */
export function changeText({ target, name, from, to }: HistoryChange): string {
  return `${target === null ? "" : `${target} `}${say(name)}${t("colon")}${from} → ${to}`;
}

/** `-10.0 %`. */
export function percentOf(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change >= 0 ? "+" : ""}${fixed(change, 1)} %`;
}
