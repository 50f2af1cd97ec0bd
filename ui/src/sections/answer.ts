// Ten seconds: whether it is valid, what is claimed, what was measured, and the charts that show it.

import { concurrencyOption } from "../charts/concurrency";
import {
  isOpenLoop,
  onlyCell,
  overTimeOption,
  shownTrials,
  type TimeMetric,
} from "../charts/overtime";
import { type Metric, primaryMetric } from "../charts/points";
import { comparisonsOf, isDecided, ratioOption } from "../charts/ratio";
import { stripHeight } from "../charts/strips";
import { timelineOption } from "../charts/timeline";
import { type Child, h, placed } from "../dom";
import { type Plain, say, t } from "../i18n";
import { gotoCell } from "../place";
import type { Cell, Failure, View } from "../view";
import { capacityFrames } from "./capacity";
import { clauses, firstSentence } from "./clauses";
import { crashFrames, hasCrashFrames } from "./crash";
import { unequalWork } from "./differences";
import { eventFrames, hasEventFrames } from "./events";
import { measured } from "./measured";
import { figure } from "./section";
import { tpmcLine } from "./timeline";
import { inLanguage } from "./translated";
import { leading } from "./where";

export function answer(view: View): HTMLElement {
  const { about } = view;
  const drawn = pictures(view);
  return h(
    "section",
    { id: "answer", "aria-label": t("answer"), class: drawn === null ? "short" : "" },
    about && h("p", { class: "question" }, ...inLanguage(about.question, about.question_zh)),
    ...head(view),
    h("p", { class: "measured" }, ...datedLine(measured(view))),
    ...view.runs.flatMap((run) =>
      run.note
        ? [h("p", { class: "measured" }, t("labelled", { label: t("note"), text: run.note }))]
        : [],
    ),
    // What recommendations set is meant to differ.
    (view.proofs ?? []).length === 0 && unequalWork(view),
    drawn,
  );
}

/** The line on what was measured, its date never broken. */
function datedLine(line: string): Child[] {
  const date = line.lastIndexOf("·") + 1;
  return [line.slice(0, date), " ", h("span", { class: "option" }, line.slice(date).trim())];
}

/** The first words of the page, which its title repeats. */
export function verdict(view: View): string {
  const failed = wholeFailure(view);
  if (failed) return t("no-result", { why: failed.message });
  return isWithdrawn(view) ? notValid(view) : say(view.answer);
}

/** Whether nothing valid is left of the claim. */
function isWithdrawn({ trust: { withdrawn, level } }: View): boolean {
  return withdrawn ?? level === "red";
}

/** Validity, then the claim: one that is withdrawn stands in grey below the reason. */
function head(view: View): Child[] {
  const failed = wholeFailure(view);
  if (failed) {
    const hint =
      failed.hint === null
        ? null
        : h(
            "p",
            { class: "todo" },
            ...placed(
              (label, text) => t("labelled", { label, text }),
              h("strong", {}, t("what-to-do")),
              h("span", {}, ...inLanguage(failed.hint)),
            ),
          );
    return [
      h("h1", { id: "trust", class: "trust red" }, ...inLanguage(verdict(view))),
      hint,
      failed.log !== undefined && log(failed.log),
    ];
  }
  if (isWithdrawn(view)) {
    const withdrawn = h(
      "p",
      { class: "withdrawn" },
      ...placed(
        (label) => t("labelled", { label, text: clauses(say(view.answer))[0] }),
        h("strong", {}, t("withdrawn")),
      ),
    );
    return [
      h("h1", { id: "trust", class: "trust red" }, notValid(view)),
      h("p", { class: "more" }, toCaveats(view)),
      withdrawn,
    ];
  }
  return [trust(view), ...headline(say(view.answer), isOpen(view)), ...because(view)];
}

/** Where the time goes by which the two targets differ most, and what probably causes it. */
function because(view: View): Child[] {
  const [most] = leading(view);
  const likeliest = view.candidates;
  return [
    most && h("p", { class: "rest" }, say(most.says)),
    likeliest && h("p", { class: "rest" }, say(likeliest)),
  ];
}

/** A server's log: its errors, and folded all of it. */
function log(text: string): HTMLElement {
  const errors = text
    .split("\n")
    .filter((line) => /\[?ERROR\]?/i.test(line))
    .slice(0, 8);
  const pre = (lines: string): HTMLElement =>
    h("pre", { class: "log", lang: "en", tabindex: 0 }, lines);
  if (errors.length === 0) return pre(text);
  return h(
    "div",
    {},
    pre(errors.join("\n")),
    h("details", { class: "fold" }, h("summary", {}, t("whole-log")), pre(text)),
  );
}

/** Whether nothing of what was compared is decided: such an answer is not in bold. */
function isOpen(view: View): boolean {
  if ((view.capacities ?? []).length > 0) return false;
  if (view.cells.some((cell) => cell.crash)) return false;
  return view.comparisons.length > 0 && !view.comparisons.some(isDecided);
}

/** `Not valid: why.` Of several reasons the worst; they all stand below the charts. */
function notValid(view: View): string {
  const first = view.trust.reasons.find((reason) => reason.level === "red");
  const why = first ? firstSentence(say(first.text)) : afterHead(say(view.trust.summary));
  const label = headOf(say(view.trust.summary)) || t("validity", { level: "red" });
  return t("labelled", { label, text: why });
}

/** Longer than this, only the first reason stands above the answer; all of them stand below the charts. */
const SUMMARY_MOST = 170;

function brief(reasons: string): string {
  // A Chinese character takes the room of two letters.
  const width = [...reasons].reduce((sum, c) => sum + (c > "\u2e7f" ? 2 : 1), 0);
  if (width <= SUMMARY_MOST) return reasons;
  return clauses(reasons)[0];
}

/** A summary begins with its level, such as `Valid with caveats: ...`. */
const HEAD = /^([^:：]{1,30})[:：]\s*/;

function headOf(summary: string): string {
  return HEAD.exec(summary)?.[1] ?? "";
}

function afterHead(summary: string): string {
  return summary.replace(HEAD, "").replace(/[.。]$/, "");
}

/** A failure as the head of the page says it. */
interface WholeFailure {
  message: string;
  /** What to do. */
  hint: string | null;
  /** The end of a server's log. */
  log?: string;
}

/** Why nothing was measured: that of the whole recording, else the reason that most cells have. */
export function wholeFailure(view: View): WholeFailure | null {
  if (view.cells.some((c) => c.throughput_per_s !== null)) return null;
  const whole = view.runs.find((run) => run.failure)?.failure;
  if (whole) return apart(whole);
  const all = view.cells.flatMap((c) => (c.failure ? [c.failure] : []));
  const often = (failure: Failure): number =>
    all.filter((other) => other.message === failure.message).length;
  const [most] = [...all].sort((a, b) => often(b) - often(a));
  if (most) return apart(most);
  const truncated = view.runs.find((run) => run.truncated !== null)?.truncated;
  return { message: truncated ?? t("nothing-measured"), hint: null };
}

/** A message may hold what to do after a semicolon, and a log after its first line. */
function apart({ message, hint }: Failure): WholeFailure {
  const [line = message, ...log] = message.split("\n");
  const [what = line, ...todo] = hint === null && log.length === 0 ? line.split("; ") : [line];
  return {
    message: what,
    hint: hint ?? (todo.join("; ") || null),
    ...(log.length > 0 ? { log: log.join("\n") } : {}),
  };
}

/** Longer than this, what follows the first clause is folded. */
const REST_MOST = 420;

/** The answer, its intervals in a lighter hand; what comes after its first clause (such as cells that failed) stands below. */
function headline(words: string, open: boolean): HTMLElement[] {
  const [first, rest] = clauses(words);
  const pieces = first
    .split(/(\[[^\]]*\])/)
    .map((piece): Child =>
      piece.startsWith("[") ? h("span", { class: "interval" }, piece) : piece,
    );
  const head = h("h1", open ? { class: "open" } : {}, ...pieces);
  if (rest === "") return [head];
  const below = h("p", { class: "rest" }, rest);
  return [
    head,
    rest.length > REST_MOST
      ? h("details", { class: "rest fold" }, h("summary", {}, t("whole-answer")), below)
      : below,
  ];
}

function pictures(view: View): HTMLElement | null {
  if (wholeFailure(view)) return null;
  const searched = capacityFrames(view, "fill");
  if (searched.length > 0) return h("div", { class: "frames" }, ...searched);
  const crashed = crashFrames(view, "fill");
  if (crashed.length > 0) return h("div", { class: "frames alike" }, ...crashed);
  const only = onlyCell(view);
  if (!only && hasEventFrames(view)) {
    return h("div", { class: "frames alike" }, ...eventFrames(view));
  }
  // One point without its seconds is a figure, not a chart: it stands in the headline and in the table.
  if (!only && view.cells.length === 1) return null;
  const frames = only
    ? timeFrames(view, only)
    : Array.from({ length: workloadsAbove(view) }, (_, workload) =>
        frameOfWorkload(view, workload),
      ).flat();
  return frames.length === 0 ? null : h("div", { class: "frames" }, ...frames);
}

/** How many workloads stand at the top: the first, or both of an experiment that asks about two; none where crashes or events lead. */
export function workloadsAbove(view: View): number {
  if (hasCrashFrames(view) || hasEventFrames(view)) return 0;
  return view.about && view.workloads.length === 2 ? 2 : 1;
}

export const TITLES: Record<Metric, Plain> = {
  throughput_per_s: "throughput",
  tpmc: "tpmc",
  response_p95_ms: "p95",
  response_p99_ms: "p99",
};

/** Throughput (of TPC-C tpmC), p95 and the ratios of a workload; of two workloads no p95, to leave room. */
function frameOfWorkload(view: View, workload: number): HTMLElement[] {
  const alone = workloadsAbove(view) === 1;
  const metrics: Metric[] = alone
    ? [primaryMetric(view, workload), "response_p95_ms"]
    : [primaryMetric(view, workload)];
  const shown = metrics.filter(
    (metric) =>
      metric !== "response_p95_ms" ||
      view.cells.some((c) => c.workload === workload && c.response_p95_ms !== null),
  );
  return [
    ...shown.map((metric) => overClients(view, workload, metric)),
    ...(comparisonsOf(view, workload).length > 0 ? [ratio(view, workload)] : []),
  ];
}

function overClients(view: View, workload: number, metric: Metric): HTMLElement {
  const title = `${view.workloads[workload]?.label ?? ""} · ${t(TITLES[metric])}`;
  return figure(title, {
    id: `${metric}-${workload}`,
    label: t("labelled", { label: title, text: say(view.answer) }),
    height_px: "fill",
    option: (width, height) => concurrencyOption(view, workload, metric, width, height),
    onCell: gotoCell,
  });
}

function ratio(view: View, workload: number): HTMLElement {
  const base = view.targets[comparisonsOf(view, workload)[0]?.base ?? 0]?.label ?? "";
  const title =
    workloadsAbove(view) === 1
      ? t("ratio-title", { base })
      : `${view.workloads[workload]?.label ?? ""} · ${t("ratio-title", { base })}`;
  const drawn = figure(title, {
    id: `ratio-${workload}`,
    label: t("labelled", { label: title, text: say(view.answer) }),
    height_px: "fill",
    option: (width, height) => ratioOption(view, workload, width, height),
    onCell: gotoCell,
  });
  drawn.classList.add("ratio");
  drawn
    .querySelector("figcaption .of")
    ?.append(
      h(
        "span",
        { class: "key" },
        h("i", { class: "filled" }),
        t("decided"),
        h("i", { class: "hollow" }),
        t("undecided"),
      ),
    );
  return drawn;
}

/** A single cell has no curve over concurrency; what it has is its seconds. Of an open loop also what waits, and how long. */
function timeFrames(view: View, cell: Cell): HTMLElement[] {
  const open = isOpenLoop(cell);
  const metrics: TimeMetric[] = open
    ? ["throughput_per_s", "response_p95_ms", "backlog", "start_delay_ms"]
    : ["throughput_per_s", "response_p95_ms"];
  const tpmc = tpmcOverTime(view, cell);
  if (tpmc) metrics.shift();
  const known = metrics.filter(
    (metric) =>
      metric !== "response_p95_ms" ||
      cell.trials.some((trial) => trial.series.response_p95_ms.some((v) => v !== null)),
  );
  const frames = known.map((metric, i) => {
    const label = metric === "throughput_per_s" && open ? "offered-over-time" : TIME_TITLES[metric];
    const title =
      i === 0 && !tpmc ? `${view.workloads[cell.workload]?.label ?? ""} · ${t(label)}` : t(label);
    return figure(title, {
      id: i === 0 && !tpmc ? "answer-time" : `answer-time-${metric}`,
      label: t("labelled", { label: title, text: say(view.answer) }),
      height_px: "fill",
      option: (_, height) =>
        overTimeOption(cell, metric, stripHeight(shownTrials(cell).length, height)),
    });
  });
  return tpmc ? [tpmc, ...frames] : frames;
}

/** TPC-C is counted in New-Order transactions. */
function tpmcOverTime(view: View, cell: Cell): HTMLElement | null {
  const [first, ...rest] = cell.tpcc ? (cell.timelines ?? []) : [];
  if (!first) return null;
  const title = `${view.workloads[cell.workload]?.label ?? ""} · ${t("tpmc-over-time")}`;
  return figure(title, {
    id: "answer-tpmc",
    label: t("labelled", { label: title, text: say(view.answer) }),
    height_px: "fill",
    option: (_, height) =>
      timelineOption(
        [first, ...rest],
        [tpmcLine(first)],
        "tpmC",
        stripHeight(rest.length + 1, height),
      ),
  });
}

export const TIME_TITLES: Record<TimeMetric, Plain> = {
  throughput_per_s: "over-time",
  response_p95_ms: "p95-over-time",
  backlog: "backlog-over-time",
  start_delay_ms: "start-delay-over-time",
};

/** Colour, shape and words: no one of them carries the meaning alone. */
function trust(view: View): HTMLElement {
  const { level, summary } = view.trust;
  return h(
    "p",
    { id: "trust", class: `trust ${level}` },
    ...placed(
      (label) =>
        t("labelled", { label, text: t("sentence", { text: brief(afterHead(say(summary))) }) }),
      h("strong", {}, headOf(say(summary)) || t("validity", { level })),
    ),
    " ",
    toCaveats(view),
  );
}

/** The way to the caveats, where there are any: what is good is listed with them, and is none. */
function toCaveats(view: View): HTMLElement | null {
  const count = view.trust.reasons.filter((reason) => reason.level !== "green").length;
  if (count === 0) return null;
  return h("a", { href: "#caveats", class: "no-print" }, t("all-caveats", { count }));
}
