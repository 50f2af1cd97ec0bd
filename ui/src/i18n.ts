// Every label of the page, from messages/*/page.ftl. Sentences about the results come with the view, in both languages as well.

import { FluentBundle, FluentNumber, FluentResource } from "@fluent/bundle";
import english from "../../messages/en/page.ftl?raw";
import chinese from "../../messages/zh/page.ftl?raw";
import type { Labels } from "./generated/labels";
import type { Lang, Words } from "./view";

/** The name of a label. */
export type Label = keyof Labels;

/** A label without variables. */
export type Plain = { [L in Label]: Labels[L] extends null ? L : never }[Label];

/** Shown as the page writes numbers, whatever the language; its plural is that of the language. */
class Count extends FluentNumber {
  override toString(): string {
    return this.value.toLocaleString("en", { maximumFractionDigits: 6 });
  }
}

function bundle(locale: string, source: string): FluentBundle {
  // Marks that isolate the direction of writing would be found by a search in the page, and copied.
  const made = new FluentBundle(locale, { useIsolating: false });
  made.addResource(new FluentResource(source));
  return made;
}

const BUNDLES: Record<Lang, FluentBundle> = {
  en: bundle("en", english),
  zh: bundle("zh-Hans", chinese),
};

let current: Lang = "en";

export function setLang(lang: Lang): void {
  current = lang;
}

export function lang(): Lang {
  return current;
}

/** A label in the current language. Numbers are grouped; what needs a certain number of decimals is given as text. */
export function t(label: Plain): string;
export function t<L extends Exclude<Label, Plain>>(label: L, values: Labels[L]): string;
export function t(label: Label, values: Record<string, string | number> | null = null): string {
  const pattern = BUNDLES[current].getMessage(label)?.value;
  // The catalogue test holds that every label has a text in both languages.
  if (!pattern) return label;
  const shown = Object.entries(values ?? {}).map(
    ([name, value]) => [name, typeof value === "number" ? new Count(value) : value] as const,
  );
  return BUNDLES[current].formatPattern(pattern, Object.fromEntries(shown));
}

/** A sentence of the view in the current language. */
export function say(words: Words): string {
  return words[current];
}

type Join = "join-list" | "join-phrases" | "join-clauses" | "join-sentences";

/** Texts in a row with what the language puts between them: empty ones are left out. */
export function joined(how: Join, texts: (string | undefined)[]): string {
  const [first = "", ...rest] = texts.filter((text) => text !== undefined && text !== "");
  return rest.reduce<string>((before, next) => t(how, { before, next: next ?? "" }), first ?? "");
}
