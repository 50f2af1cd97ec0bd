// Entry of the page: reads the view that the program put into it and builds the page, again at each change of language.

import "./style.css";
import { disposeAll, drawAll, drawnCharts, optionOf } from "./charts/base";
import { h } from "./dom";
import { type History, HISTORY_SCHEMA_VERSION } from "./history";
import { type Label, lang, setLang, t } from "./i18n";
import { gotoHash } from "./place";
import { advice } from "./sections/advice";
import { answer } from "./sections/answer";
import { caveats } from "./sections/caveats";
import { cells } from "./sections/cells";
import { costs } from "./sections/costs";
import { curves } from "./sections/curves";
import { differences } from "./sections/differences";
import { errors, failures } from "./sections/failures";
import { doubts, interactions, method, others } from "./sections/experiment";
import { generator } from "./sections/generator";
import { historySections } from "./sections/history";
import { origin } from "./sections/origin";
import { results } from "./sections/results";
import { tpcc } from "./sections/tpcc";
import { type Lang, SCHEMA_VERSION, type View } from "./view";

declare global {
  interface Window {
    /** For tests: the view and what the charts made of it. */
    mydyno: { view: View | History | null; charts: () => string[]; option: (id: string) => unknown };
  }
}

const page = document.getElementById("page") ?? document.body;

/** A report, or the history of many: the program puts either into the same page. */
function readView(): View | History | null {
  const text = document.getElementById("view")?.textContent ?? "null";
  return JSON.parse(text) as View | History | null;
}

function isHistory(shown: View | History): shown is History {
  return "kind" in shown && shown.kind === "history";
}

const CONTENTS: [string, Label][] = [
  ["others", "others"],
  ["doubts", "doubts"],
  ["method", "method"],
  ["interactions", "interactions"],
  ["curves", "curves"],
  ["tpcc", "tpmc_against"],
  ["results", "results"],
  ["costs", "costs_over_cells"],
  ["differences", "differences"],
  ["caveats", "caveats"],
  ["failures", "failures"],
  ["errors", "errors"],
  ["generator", "generator"],
  ["origin", "origin"],
  ["cells", "cells"],
  ["advice", "advice"],
];

function build(view: View): void {
  disposeAll();
  document.documentElement.lang = lang() === "zh" ? "zh-Hans" : "en";
  document.title = `${view.title} – mydyno`;
  const sections = [
    others(view), doubts(view), method(view), interactions(view),
    curves(view), tpcc(view), results(view), costs(view),
    differences(view), caveats(view), failures(view), errors(view), generator(view),
    origin(view), cells(view), advice(view),
  ];
  const known = new Set(sections.filter((s) => s !== null).map((s) => s.id));
  const links = CONTENTS.filter(([id]) => known.has(id)).map(([id, label]) => h("li", {}, h("a", { href: `#${id}` }, t(label))));
  const contents = h("nav", { class: "contents no-print", "aria-label": t("contents") }, h("ul", {}, ...links));
  page.replaceChildren(
    h("header", {}, h("span", { class: "brand" }, "mydyno"), h("span", { class: "title" }, view.title), ...switches(() => build(view))),
    h("main", {}, answer(view), newer(view.schema_version, SCHEMA_VERSION), contents, ...sections),
    h("footer", {}, h("span", {}, `mydyno ${view.mydyno_version}`), h("a", { href: "#answer", class: "no-print" }, t("back"))),
  );
}

function buildHistory(history: History): void {
  disposeAll();
  document.documentElement.lang = lang() === "zh" ? "zh-Hans" : "en";
  document.title = `${history.title} – mydyno`;
  page.replaceChildren(
    h("header", {}, h("span", { class: "brand" }, "mydyno"), h("span", { class: "title" }, history.title), ...switches(() => buildHistory(history))),
    h("main", {}, newer(history.schema_version, HISTORY_SCHEMA_VERSION), ...historySections(history)),
    h("footer", {}, h("span", {}, `mydyno ${history.mydyno_version}`), h("a", { href: "#answer", class: "no-print" }, t("back"))),
  );
}

/** Says when the data know more than the page. */
function newer(found: number, known: number): HTMLElement | null {
  return found <= known ? null : h("p", { class: "caveat" }, t("shape_newer", { found, known }));
}

function switches(rebuild: () => void): HTMLElement[] {
  const language = h("button", { type: "button", class: "quiet no-print", id: "language", lang: lang() === "en" ? "zh-Hans" : "en" }, t("language"));
  language.addEventListener("click", () => {
    const other: Lang = lang() === "en" ? "zh" : "en";
    setLang(other);
    rebuild();
    document.getElementById("language")?.focus();
  });
  const theme = h("button", { type: "button", class: "quiet no-print", id: "theme" }, t(isDark() ? "theme_light" : "theme_dark"));
  theme.addEventListener("click", () => {
    document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
    theme.textContent = t(isDark() ? "theme_light" : "theme_dark");
  });
  return [language, theme];
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}

const view = readView();
window.mydyno = { view, charts: drawnCharts, option: optionOf };
if (view === null) {
  page.replaceChildren(h("main", {}, h("p", {}, t("no_view"))));
} else {
  setLang(view.lang);
  if (isHistory(view)) buildHistory(view);
  else build(view);
  gotoHash();
  window.addEventListener("hashchange", gotoHash);
  window.addEventListener("beforeprint", drawAll);
}
