// A command that can be copied. It is broken between its options, never within one; and options within sentences.

import { type Child, h } from "../dom";
import { t } from "../i18n";
import { copyButton } from "../table";

export function command(line: string): HTMLElement {
  const words = pieces(line).flatMap((word, i) => [
    i === 0 ? "" : " ",
    h("span", { class: "word" }, word),
  ]);
  return h(
    "span",
    {},
    h("code", { class: "command" }, ...words),
    " ",
    copyButton(t("copy"), () => line),
  );
}

/** Words of a command, an option together with its value. */
export function pieces(line: string): string[] {
  const found: string[] = [];
  let takesValue = false;
  for (const word of line.split(" ")) {
    const isOption = word.startsWith("-");
    if (takesValue && !isOption) found[found.length - 1] += ` ${word}`;
    else found.push(word);
    takesValue = isOption && !word.includes("=");
  }
  return found;
}

/** A sentence whose options are not broken at their hyphens. */
export function withOptions(sentence: string): Child[] {
  return sentence
    .split(/(--[a-z][\w-]*)/)
    .map((part) => (part.startsWith("--") ? h("span", { class: "option" }, part) : part));
}
