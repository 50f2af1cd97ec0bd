// Recordings of one question over time: the answer, a chart per cell with its change-points, and every recording.

import { HISTORY_PX, historyOption } from "../charts/history";
import { type Child, h, lazyDetails } from "../dom";
import { fixed, moment } from "../format";
import type { Labels } from "../generated/labels";
import { joined, say, t } from "../i18n";
import { table } from "../table";
import type { HistoryEntry, History, HistoryLine } from "../view";
import { changesText, changeText, percentOf } from "./changes";
import { clauses } from "./clauses";
import { figure, heading, note, section } from "./section";

export function historySections(history: History): (HTMLElement | null)[] {
  const words = say(history.answer);
  const [first, rest] = clauses(words);
  const head = [h("h1", {}, first), rest === "" ? null : h("p", { class: "rest" }, rest)];
  const targets = [...new Set(history.series.map((series) => series.target))];
  const rule = t("history-note", {
    alarms: fixed(history.false_alarms * 100, 0),
    least: history.recordings_min,
    margin: fixed(history.margin * 100, 1),
  });
  const shown = headed(history);
  const drawn = shown && picture(history, shown, targets);
  return [
    h(
      "section",
      { id: "answer", "aria-label": t("answer"), class: drawn ? "" : "short" },
      ...head,
      h("p", { class: "measured" }, extent(history)),
      drawn && h("div", { class: "frames one" }, drawn),
    ),
    history.series.length > 0
      ? section(
          "series",
          t("history-series"),
          note(rule),
          ...history.series.map((series, i) =>
            one(
              history,
              series,
              i,
              targets.indexOf(series.target),
              series !== shown || history.series.length > 1,
            ),
          ),
        )
      : null,
    section("recordings", t("recordings"), recordings(history)),
  ];
}

/** How many recordings, and from when to when. */
function extent(history: History): string {
  const dates = history.recordings
    .map(({ started_at }) => started_at)
    .filter((at) => at !== "")
    .sort();
  const count = t("recordings-count", { count: history.recordings.length });
  const [first, last] = [dates[0], dates[dates.length - 1]];
  return [
    count,
    ...(first === undefined || last === undefined
      ? []
      : [first === last ? moment(first) : `${moment(first)} – ${moment(last)}`]),
  ].join(" · ");
}

/** The series that the answer is about: the one that changed last, else the first that has anything to show. */
function headed(history: History): HistoryLine | null {
  const shown = history.series.filter((series) => series.points.length > 0);
  const lastShift = (series: HistoryLine): number =>
    Math.max(-1, ...series.shifts.map((shift) => shift.recording));
  return [...shown].sort((a, b) => lastShift(b) - lastShift(a))[0] ?? null;
}

function picture(history: History, series: HistoryLine, targets: string[]): HTMLElement {
  const title = titleOf(series);
  return figure(title, {
    id: "history-answer",
    label: title,
    height_px: "fill",
    option: (width) => historyOption(history, series, targets.indexOf(series.target), width),
  });
}

/** The cell that a series follows. */
function nameOf({ target, workload, threads }: HistoryLine): string {
  return [target, workload, t("clients-count", { count: threads })].join(" · ");
}

function titleOf(series: HistoryLine): string {
  return `${nameOf(series)} · ${say(series.label)}`;
}

/** A series in words, with its chart unless that stands at the top already. */
function one(
  history: History,
  series: HistoryLine,
  index: number,
  target: number,
  withChart: boolean,
): HTMLElement {
  const title = titleOf(series);
  const words = [
    h("ul", { class: "plain" }, ...sentences(history, series).map((text) => h("li", {}, text))),
    twin(history, series),
  ];
  if (series.points.length === 0 || !withChart) {
    return h(
      "div",
      { class: "block" },
      heading("h3", `series-${index}`, title),
      series.points.length === 0 && note(t("history-empty")),
      ...words,
    );
  }
  const drawn = figure(
    title,
    {
      id: `history-${index}`,
      label: title,
      height_px: HISTORY_PX,
      option: (width) => historyOption(history, series, target, width),
    },
    ...words,
  );
  drawn.classList.add("block");
  return drawn;
}

function sentences(history: History, series: HistoryLine): Child[] {
  const shifts = series.shifts.map((shift, i) => {
    const { there, near } = series.changed[i] ?? { there: [], near: [] };
    const beside = near.map((change) =>
      t("change-at", {
        change: changeText(change),
        at: moment(history.recordings[change.recording]?.started_at ?? null),
      }),
    );
    const entry = history.recordings[shift.recording];
    const at = t("history-shift", {
      at: moment(entry?.started_at ?? null),
      change: percentOf(shift.mean_after / shift.mean_before),
      p: fixed(shift.p_value, 3),
      run: entry?.id ?? "",
    });
    return joined("join-sentences", [
      at,
      there.length > 0
        ? t("history-with", { changes: changesText(there) })
        : t("history-with-nothing"),
      beside.length > 0 ? t("history-near", { changes: joined("join-clauses", beside) }) : "",
    ]);
  });
  return [...shifts, latest(series), series.too_short && say(series.too_short)].filter(
    (text): text is string => Boolean(text),
  );
}

function latest({ latest: last, untold }: HistoryLine): string {
  if (!last) return untold ? say(untold) : "";
  const { ratio, low, high } = last;
  const interval = low === null || high === null ? "" : ` [${percentOf(low)}, ${percentOf(high)}]`;
  const { verdict } = last;
  return t("history-latest", {
    recordings: last.recordings,
    change: `${percentOf(ratio)}${interval}`,
    verdict:
      verdict === "single_run" || verdict === "withheld"
        ? t("history-untold")
        : t("verdict-is", { verdict }),
  });
}

/** The chart as a table. */
function twin(history: History, series: HistoryLine): HTMLElement {
  const entry = (recording: number): HistoryEntry | undefined => history.recordings[recording];
  return lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table({
      caption: say(series.label),
      rows: series.points,
      columns: [
        {
          head: t("started"),
          value: (r) => entry(r.recording)?.started_at ?? null,
          show: (r) => moment(entry(r.recording)?.started_at || null),
        },
        { head: say(series.label), value: (r) => r.mean, decimals: 2 },
        { head: t("history-low"), value: (r) => r.low, decimals: 2 },
        { head: t("history-high"), value: (r) => r.high, decimals: 2 },
        { head: t("repeats"), value: (r) => r.n },
        {
          head: t("recording"),
          value: (r) => entry(r.recording)?.id ?? "",
          show: (r) => h("code", {}, entry(r.recording)?.id ?? ""),
        },
      ],
    }),
  ]);
}

/** Every recording, those that are not part of a series with the reason. */
function recordings(history: History): HTMLElement {
  const why = (at: number, entry: HistoryEntry): string => {
    if (entry.left_out) return say(entry.left_out);
    const cells = history.series.flatMap((series) =>
      series.left_out
        .filter((left) => left.recording === at)
        .map((left) => t("labelled", { label: nameOf(series), text: say(left.why) })),
    );
    return joined("join-clauses", cells);
  };
  const rows = history.recordings.map((entry, at) => ({ entry, why: why(at, entry) }));
  const changed = (r: (typeof rows)[number]): string => changesText(r.entry.changes);
  const reason = (r: (typeof rows)[number]): string => r.why;
  return table({
    caption: t("recordings"),
    captionHidden: true,
    rows: rows.reverse(),
    most: 40,
    columns: [
      {
        head: t("started"),
        value: (r) => r.entry.started_at,
        show: (r) => moment(r.entry.started_at || null),
      },
      { head: t("recording"), value: (r) => r.entry.id, show: (r) => h("code", {}, r.entry.id) },
      { head: t("outcome"), value: (r) => statusName(r.entry.status) },
      ...(rows.some((r) => r.entry.changes.length > 0)
        ? [{ head: t("history-changed"), value: changed }]
        : []),
      ...(rows.some((r) => r.why !== "") ? [{ head: t("history-left-out"), value: reason }] : []),
    ],
  });
}

const STATUSES: Record<string, Labels["status"]["status"]> = {
  complete: "completed",
  "with failures": "with-failures",
  interrupted: "interrupted",
  failed: "failed",
  "broken off": "broken-off",
  running: "running",
  unreadable: "unreadable",
};

/** How a recording stands, which the program says as `mydyno list` does. */
function statusName(status: string): string {
  const known = STATUSES[status];
  return known === undefined ? status : t("status", { status: known });
}
