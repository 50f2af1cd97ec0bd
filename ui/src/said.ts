// How a cell or a trial ended, in words.

import { joined, say, t } from "./i18n";
import type { Cell, Words } from "./view";

/** The status of a cell, and why it failed. */
export function ended({ status, failure }: Pick<Cell, "status" | "failure">): string {
  const label = t("status", { status });
  return failure ? t("labelled", { label, text: failure.message }) : label;
}

/** Why trials do not count. */
export function setAside(why: Words[]): string {
  return t("set-aside", { why: joined("join-clauses", [...new Set(why.map(say))]) });
}
