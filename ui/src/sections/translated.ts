// Texts that exist in English alone in older recordings: where there is no Chinese, they are marked as English.

import { type Child, h } from "../dom";
import { lang } from "../i18n";
import type { Words } from "../view";

/** A text that may have a Chinese twin, or be a pair already. */
export function inLanguage(text: string | Words, zh?: string | null): Child[] {
  if (typeof text !== "string") return [text[lang()]];
  if (lang() === "en") return [text];
  if (zh) return [zh];
  return text === "" || /[\u4e00-\u9fff]/.test(text) ? [text] : [h("span", { lang: "en" }, text)];
}
