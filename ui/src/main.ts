// Entry of the page: reads the view that the program put into it and builds the page, again at each change of language.

import "./style.css";
import { disposeAll, drawnCharts, optionOf } from "./charts/base";
import { h } from "./dom";
import { lang, say, setLang, t } from "./i18n";
import { gotoHash } from "./place";
import { afterPrint, beforePrint } from "./print";
import { advice } from "./sections/advice";
import { answer, verdict } from "./sections/answer";
import { bisect } from "./sections/bisect";
import { capacity } from "./sections/capacity";
import { caveats } from "./sections/caveats";
import { cells } from "./sections/cells";
import { costs } from "./sections/costs";
import { crash } from "./sections/crash";
import { curves } from "./sections/curves";
import { differences } from "./sections/differences";
import { events } from "./sections/events";
import { failover } from "./sections/failover";
import { errors, failures } from "./sections/failures";
import { colocation } from "./sections/colocation";
import { doubts, interactions, method, others } from "./sections/experiment";
import { generator } from "./sections/generator";
import { historySections } from "./sections/history";
import { titleOf } from "./sections/measured";
import { origin } from "./sections/origin";
import { profile } from "./sections/profile";
import { proof } from "./sections/proof";
import { results } from "./sections/results";
import { serial } from "./sections/serial";
import { tpcc } from "./sections/tpcc";
import { where } from "./sections/where";
import { versions } from "./sections/versions";
import { type History, HISTORY_SCHEMA_VERSION, type Lang, SCHEMA_VERSION, type View } from "./view";

declare global {
  interface Window {
    /** For tests: the view and what the charts made of it. */
    mydyno: {
      view: View | History | null;
      charts: () => string[];
      option: (id: string) => unknown;
    };
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

/** The sections that there are; beside the page where the window is wide, else below the answer. */
function contents(sections: HTMLElement[]): HTMLElement {
  // The words of a link are those of the heading that it leads to.
  const named = (one: HTMLElement): string =>
    one.querySelector("h2")?.textContent ?? one.getAttribute("aria-label") ?? "";
  const links = sections.map((one) => h("li", {}, h("a", { href: `#${one.id}` }, named(one))));
  const nav = h(
    "nav",
    { class: "contents no-print", "aria-label": t("contents") },
    h("ul", {}, ...links),
  );
  followed(nav, sections);
  return nav;
}

/** Marks the section that is being read. */
function followed(nav: HTMLElement, sections: HTMLElement[]): void {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = nav.querySelector(`a[href="#${CSS.escape(target.id)}"]`);
        if (isIntersecting) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-12% 0px -80% 0px" },
  );
  for (const one of sections) watch.observe(one);
}

/** Header, contents, sections, footer: of a report and of a history alike. */
function lay(
  shown: { title: string; schema_version: number; mydyno_version: string },
  known: number,
  sections: (HTMLElement | null)[],
  rebuild: () => void,
): void {
  document.documentElement.lang = lang() === "zh" ? "zh-Hans" : "en";
  const own = sections.filter((one) => one !== null);
  const [first, ...rest] = own;
  page.replaceChildren(
    h(
      "header",
      {},
      h("span", { class: "brand" }, "mydyno"),
      h("span", { class: "title" }, shown.title),
      ...switches(rebuild),
    ),
    h("main", {}, first, newer(shown.schema_version, known), contents(own), ...rest),
    h(
      "footer",
      {},
      h("span", {}, `mydyno ${shown.mydyno_version}`),
      h("a", { href: "#answer", class: "no-print" }, t("back")),
    ),
  );
}

function build(view: View): void {
  disposeAll();
  document.title = titleOf(verdict(view), view.title, view.runs[0]?.started_at ?? null);
  const sections = [
    answer(view),
    bisect(view),
    versions(view),
    proof(view),
    caveats(view),
    failures(view),
    others(view),
    doubts(view),
    method(view),
    colocation(view),
    serial(view),
    interactions(view),
    capacity(view),
    crash(view),
    failover(view),
    events(view),
    where(view),
    profile(view),
    results(view),
    curves(view),
    tpcc(view),
    differences(view),
    costs(view),
    errors(view),
    generator(view),
    origin(view),
    cells(view),
    advice(view),
  ];
  lay(view, SCHEMA_VERSION, sections, () => build(view));
}

function buildHistory(history: History): void {
  disposeAll();
  const dates = history.recordings.map(({ started_at }) => started_at).sort();
  document.title = titleOf(say(history.answer), history.title, dates[dates.length - 1] ?? null);
  lay(history, HISTORY_SCHEMA_VERSION, historySections(history), () => buildHistory(history));
}

/** Says when the data know more than the page. */
function newer(found: number, known: number): HTMLElement | null {
  return found <= known ? null : h("p", { class: "caveat" }, t("newer", { found, known }));
}

function switches(rebuild: () => void): HTMLElement[] {
  const language = h(
    "button",
    {
      type: "button",
      class: "quiet no-print",
      id: "language",
      lang: lang() === "en" ? "zh-Hans" : "en",
    },
    t("language"),
  );
  language.addEventListener("click", () => {
    const other: Lang = lang() === "en" ? "zh" : "en";
    setLang(other);
    rebuild();
    document.getElementById("language")?.focus();
  });
  const theme = h(
    "button",
    { type: "button", class: "quiet no-print", id: "theme" },
    t(isDark() ? "theme-light" : "theme-dark"),
  );
  theme.addEventListener("click", () => {
    document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
    theme.textContent = t(isDark() ? "theme-light" : "theme-dark");
  });
  return [language, theme];
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : chosen === "dark";
}

const view = readView();
window.mydyno = { view, charts: drawnCharts, option: optionOf };
if (view === null) {
  page.replaceChildren(h("main", {}, h("p", {}, t("no-view"))));
} else {
  setLang(view.lang);
  if (isHistory(view)) buildHistory(view);
  else build(view);
  gotoHash();
  window.addEventListener("hashchange", gotoHash);
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
}
