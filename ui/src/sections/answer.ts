// Ten seconds: the answer, one chart that shows it, one line that says whether it can be trusted. Nothing else.

import { chart } from "../charts/base";
import { concurrencyOption } from "../charts/concurrency";
import { onlyCell, overTimeOption, shownTrials } from "../charts/overtime";
import { stripHeight } from "../charts/strips";
import { h } from "../dom";
import { say, t } from "../i18n";
import { gotoCell } from "../place";
import { unequalWork } from "./differences";
import type { Cell, View } from "../view";

export function answer(view: View): HTMLElement {
  const { about } = view;
  return h(
    "section",
    { id: "answer" },
    about && h("p", { class: "question" }, about.question),
    headline(say(view.answer)),
    unequalWork(view),
    picture(view),
    trust(view),
  );
}

/** The answer; what comes after its first clause (such as cells that failed) in a lighter hand. */
function headline(words: string): HTMLElement {
  const cut = words.search(/; |；/);
  if (cut < 0) return h("h1", {}, words);
  return h("h1", {}, words.slice(0, cut), h("span", { class: "rest" }, words.slice(cut)));
}

function picture(view: View): HTMLElement | null {
  if (!view.cells.some((c) => c.throughput_per_s !== null || c.status === "failed")) return null;
  const only = onlyCell(view);
  if (only) return overTime(view, only);
  const frames = Array.from({ length: workloadsAbove(view) }, (_, workload) => throughput(view, workload));
  return frames.length === 1 ? (frames[0] ?? null) : h("div", { class: "side-by-side" }, ...frames);
}

/** How many workloads' throughput stands at the top: the first, or both of an experiment that asks about two. */
export function workloadsAbove(view: View): number {
  return view.about && view.workloads.length === 2 ? 2 : 1;
}

function throughput(view: View, workload: number): HTMLElement {
  const title = `${view.workloads[workload]?.label ?? ""} · ${t("throughput")}`;
  const drawn = chart({
    id: `throughput_per_s-${workload}`,
    label: `${title}: ${say(view.answer)}`,
    height_px: "fill",
    option: (width, height) => concurrencyOption(view, workload, "throughput_per_s", width, height),
    onCell: gotoCell,
  });
  return h("figure", {}, h("figcaption", {}, title), drawn);
}

/** A single cell has no curve over concurrency; what it has is its seconds. */
function overTime(view: View, cell: Cell): HTMLElement {
  const title = `${view.workloads[cell.workload]?.label ?? ""} · ${t("over_time")}`;
  const drawn = chart({
    id: "answer-time",
    label: `${title}: ${say(view.answer)}`,
    height_px: "fill",
    option: (_, height) => overTimeOption(cell, "throughput_per_s", stripHeight(shownTrials(cell).length, height)),
  });
  return h("figure", {}, h("figcaption", {}, title), drawn);
}

/** Colour, shape and words: no one of them carries the meaning alone. */
function trust(view: View): HTMLElement {
  const { level, summary } = view.trust;
  const words = say(summary);
  const head = t(`trust_${level}`);
  const rest = words.startsWith(head) ? words.slice(head.length) : `: ${words}`;
  return h("p", { id: "trust", class: `trust ${level}` }, h("strong", {}, head), rest, " ", h("a", { href: "#caveats", class: "no-print" }, t("caveats")));
}
