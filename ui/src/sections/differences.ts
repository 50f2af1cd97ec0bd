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
      { head: t("variable"), value: (v) => v.name, show: (v) => h("code", {}, v.name) },
      { head: t("decides"), value: (v) => t(`group_${v.group}`) },
      ...view.targets.map((target, i) => ({
        head: target.label,
        value: (v: Variable) => v.values[i] ?? null,
        show: (v: Variable): Child => {
          const value = v.values[i] ?? NOTHING;
          return v.differs ? h("b", {}, value) : value;
        },
      })),
    ],
  });
}
