// What differs between the targets: first in words, durability at the head, then every variable.

import { type Child, h } from "../dom";
import { NOTHING } from "../format";
import { say, t } from "../i18n";
import { table } from "../table";
import type { Variable, View } from "../view";
import { note, section } from "./section";

export function differences(view: View): HTMLElement | null {
  if (view.variables.length === 0 && view.differences.length === 0) return null;
  const single = view.targets.length < 2;
  const title = single ? t("variables") : t("differences");
  return section("differences", title, words(view), view.variables.length > 0 && matrix(view, single));
}

function words(view: View): HTMLElement | null {
  const sentences = view.differences.map((d, i) => h("li", i === 0 ? { class: "first" } : {}, say(d)));
  return sentences.length === 0 ? null : h("ul", { class: "plain" }, ...sentences);
}

/** Differing variables that every server has: what one family has alone is many, and seldom the reason. */
function shared(view: View): Variable[] {
  return view.variables.filter((v) => v.differs && v.values.every((value) => value !== null));
}

/** The groups that first decide how fast a server is, and how safe. */
const FIRST = ["durability", "memory", "io", "concurrency"];

function matrix(view: View, single: boolean): HTMLElement {
  const place = h("div");
  const show = (rows: Variable[]): void => {
    const shown: Child = rows.length === 0 ? note(t("variables_none")) : theTable(view, rows);
    place.replaceChildren(...(shown ? [shown] : []));
  };
  const choices: [string, Variable[]][] = [
    [t("variables_first"), shared(view).filter((v) => FIRST.includes(v.group))],
    [t("variables_differing"), shared(view)],
    [t("variables_one_sided"), view.variables.filter((v) => v.differs)],
    [t("variables_all"), view.variables],
  ];
  const buttons = choices.map(([label, rows], i) => {
    const pressed = String(i === 0);
    const button = h("button", { type: "button", class: "choice", "aria-pressed": pressed }, `${label} (${rows.length})`);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show(rows);
    });
    return button;
  });
  if (single) {
    const details = h("details", {}, h("summary", {}, `${t("variables_all")} (${view.variables.length})`), place);
    details.addEventListener("toggle", () => show(view.variables), { once: true });
    return details;
  }
  show(choices[0]?.[1] ?? []);
  return h("div", {}, h("div", { class: "choices" }, ...buttons), place, note(t("variables_note")));
}

function theTable(view: View, rows: Variable[]): HTMLElement {
  return table<Variable>({
    caption: t("variables"),
    rows,
    wrap: true,
    columns: [
      { head: t("variable"), value: (v) => v.name, show: named },
      { head: t("decides"), value: (v) => t(`group_${v.group}`) },
      ...view.targets.map((target, i) => ({
        head: target.label,
        value: (v: Variable) => v.values[i] ?? null,
        show: (v: Variable): Child => valued(v, i),
      })),
    ],
  });
}

/** The name, and below it what the variable is; where it differs, also what that may do. */
function named(v: Variable): Child {
  const about = [v.meaning, v.differs && v.effect].flatMap((words) => (words ? [h("span", { class: "about" }, say(words))] : []));
  return h("div", {}, h("code", {}, v.name), ...about);
}

/** The value as people say it, and below it the default: that it is one, or which it would be. */
function valued(v: Variable, target: number): Child {
  const raw = v.values[target] ?? null;
  if (raw === null) return NOTHING;
  const shown = v.shown?.[target] ?? raw;
  const known = v.default?.[target] ?? null;
  const mark = v.is_default?.[target] ? t("default") : known === null ? null : t("default_is", { value: known });
  const value = v.differs ? h("b", {}, shown) : h("span", {}, shown);
  if (shown !== raw) value.title = raw;
  return h("div", {}, value, mark !== null && h("span", { class: "about" }, mark));
}

/** What belongs above every curve: that the targets do unequal work at a commit. */
export function unequalWork(view: View): HTMLElement | null {
  const classes = new Set(view.targets.flatMap((target) => (target.durability ? [target.durability.en] : [])));
  const first = view.differences[0];
  if (classes.size < 2 || !first) return null;
  return h("p", { class: "caveat unequal" }, say(first));
}
