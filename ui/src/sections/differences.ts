// What differs between the targets: first in words, durability at the head, then every variable.

import { type Child, h } from "../dom";
import { NOTHING } from "../format";
import { say, t } from "../i18n";
import { table } from "../table";
import type { Variable, View, Words } from "../view";
import { withOptions } from "./command";
import { note, section } from "./section";

export function differences(view: View): HTMLElement | null {
  if (view.variables.length === 0 && view.differences.length === 0) return null;
  // Of servers that never answered nothing is known to be the same.
  if (view.variables.length === 0 && view.cells.every((c) => c.throughput_per_s === null))
    return null;
  const single = view.targets.length < 2;
  const title = single ? t("variables") : t("differences");
  return section(
    "differences",
    title,
    words(view),
    view.variables.length > 0 && matrix(view, single),
  );
}

function words(view: View): HTMLElement | null {
  const sentences = view.differences.map((d, i) =>
    h("li", i === 0 ? { class: "first" } : {}, ...withOptions(say(d))),
  );
  return sentences.length === 0 ? null : h("ul", { class: "plain" }, ...sentences);
}

/** Differing variables that every server has: what one family has alone is many, and seldom the reason. */
function shared(view: View): Variable[] {
  return view.variables.filter((v) => v.differs && v.values.every((value) => value !== null));
}

/** The groups that first decide how fast a server is, and how safe. */
const FIRST = ["durability", "memory", "io", "concurrency"];
/** Rows of the list that is shown without being asked for. */
const MOST = 8;

/** Differing variables that are likely to matter: the program says which; in older reports those of the first groups or of a known effect. */
export function likely(view: View): Variable[] {
  const marked = view.variables.filter((v) => v.matters);
  if (marked.length > 0 || view.variables.some((v) => v.matters === false)) return marked;
  const own = shared(view).filter((v) => FIRST.includes(v.group) || v.effect !== undefined);
  // One that every target left as it was differs by version, and is then the default of each.
  return own.filter(
    (v) => v.is_default === undefined || v.is_default.some((is) => !is) || v.group === "durability",
  );
}

/** Lists of variables to choose from. */
type Choice =
  | "variables-likely"
  | "variables-changed"
  | "variables-differing"
  | "variables-one-sided"
  | "variables-all";

function matrix(view: View, single: boolean): HTMLElement {
  const place = h("div");
  const show = (rows: Variable[], most?: number): void => {
    const shown: Child = rows.length === 0 ? note(t("variables-none")) : theTable(view, rows, most);
    place.replaceChildren(...(shown ? [shown] : []));
  };
  const changed = view.variables.filter((v) => v.is_default?.some((is) => !is));
  const choices: [Choice, Variable[]][] = single
    ? [
        ["variables-changed", changed],
        ["variables-all", view.variables],
      ]
    : [
        ["variables-likely", likely(view)],
        ["variables-changed", changed],
        ["variables-differing", shared(view)],
        ["variables-one-sided", view.variables.filter((v) => v.differs)],
        ["variables-all", view.variables],
      ];
  const buttons = choices.map(([label, rows], i) => {
    const button = h(
      "button",
      { type: "button", class: "choice", "aria-pressed": String(i === 0) },
      t(label, { count: rows.length }),
    );
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show(rows);
    });
    return button;
  });
  const first = choices[0]?.[1] ?? [];
  show(first, MOST);
  return h(
    "div",
    {},
    h("div", { class: "choices", role: "group", "aria-label": t("variables") }, ...buttons),
    place,
    !single && note(t("variables-note")),
  );
}

function theTable(view: View, rows: Variable[], most: number | undefined): HTMLElement {
  return table<Variable>({
    caption: t("variables"),
    rows,
    ...(most === undefined ? {} : { most }),
    wrap: true,
    columns: [
      { head: t("variable"), value: (v) => v.name, show: named },
      { head: t("category"), value: (v) => t("category-is", { group: v.group }) },
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
  const about = [v.meaning, v.differs && v.effect].flatMap((words) =>
    words ? [h("span", { class: "about" }, say(words))] : [],
  );
  return h("div", {}, h("code", {}, v.name), ...about);
}

/** The value as people say it, and below it the default: that it is one, or which it would be. */
function valued(v: Variable, target: number): Child {
  const raw = v.values[target] ?? null;
  if (raw === null) return NOTHING;
  const shown = v.shown?.[target] ?? raw;
  const known = v.default?.[target] ?? null;
  const mark = v.is_default?.[target]
    ? t("default")
    : known === null
      ? null
      : t("default-is", { value: known });
  const value = v.differs ? h("b", {}, shown) : h("span", {}, shown);
  if (shown !== raw) value.title = raw;
  return h("div", {}, value, mark !== null && h("span", { class: "about" }, mark));
}

/** The sentence that durability differs, if it does: the program says so by an id. */
export function unequalDurability({ differences }: Pick<View, "differences">): Words | null {
  return differences.find(({ id }) => id === "durability") ?? null;
}

/** What belongs above every curve: that the targets do unequal work at a commit. */
export function unequalWork(view: View): HTMLElement | null {
  const words = unequalDurability(view);
  return words && h("p", { class: "caveat unequal" }, ...withOptions(say(words)));
}
