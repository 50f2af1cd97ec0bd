// What crashes under load lost: against throughput, and as a table.

import { style } from "../charts/base";
import { type Crashed, crashOption, harmedIn, KINDS, lostIn } from "../charts/crash";
import { type Child, h } from "../dom";
import { bytes, decimalsOfAll, fixed } from "../format";
import { say, t } from "../i18n";
import { cellAnchor, gotoCell } from "../place";
import { type Column, table } from "../table";
import type {
  Cell,
  CrashKind,
  CrashReplicasSummary,
  CrashStanding,
  CrashSummary,
  LogSummary,
  TornAt,
  View,
} from "../view";
import { figure, heading, note, section } from "./section";

/** More points are too many for one chart: then each kind of crash has its own. */
const POINTS_MOST = 12;

interface Row {
  cell: Cell;
  crash: CrashSummary;
}

function rowsOf(view: View): Row[] {
  return view.cells.flatMap((cell) => (cell.crash ? [{ cell, crash: cell.crash }] : []));
}

/** What is done, whatever crashes: workloads that differ only in the crash are the same. */
function workOf(view: View, { workload }: Cell): string {
  const { name, options } = view.workloads[workload] ?? { name: "", options: {} };
  return JSON.stringify([name, options]);
}

/** Cells that do the same with as many clients: their throughput can be compared. A single one is no picture. */
function groups(view: View): Crashed[][] {
  const all = new Map<string, Crashed[]>();
  for (const row of rowsOf(view)) {
    const per_s = row.cell.throughput_per_s?.mean;
    if (per_s === undefined) continue;
    const key = `${workOf(view, row.cell)}\n${row.cell.threads}`;
    all.set(key, [...(all.get(key) ?? []), { ...row, per_s }]);
  }
  return [...all.values()].filter((group) => group.length > 1);
}

function kindsOf(rows: Row[]): CrashKind[] {
  return [...new Set(rows.map(({ crash }) => crash.kind))];
}

/** Whether a chart of what was lost stands at the top of the page. */
export function hasCrashFrames(view: View): boolean {
  return groups(view).length > 0;
}

/** What was lost against throughput: a chart for all, or one for each kind of crash. */
export function crashFrames(view: View, height: number | "fill"): HTMLElement[] {
  const all = groups(view);
  return all.flatMap((group, g) => {
    const kinds = kindsOf(group);
    const split = group.length > POINTS_MOST && kinds.length > 1;
    const parts = split
      ? kinds.map((kind) => group.filter((one) => one.crash.kind === kind))
      : [group];
    return parts.map((part) => {
      const [first] = part;
      const own = kindsOf(part);
      const titles = [
        split || kinds.length === 1 ? t("crash-kind", { kind: own[0] ?? "kill" }) : "",
        all.length > 1 ? (view.workloads[first?.cell.workload ?? 0]?.label ?? "") : "",
        all.length > 1 ? t("clients-count", { count: first?.cell.threads ?? 0 }) : "",
        t("crash-chart"),
      ];
      const title = titles.filter((one) => one !== "").join(" · ");
      const drawn = figure(title, {
        id: split ? `crash-${g}-${own[0] ?? ""}` : `crash-${g}`,
        label: t("labelled", { label: title, text: say(view.answer) }),
        height_px: height,
        option: (width, height) => crashOption(view, part, group, width, height),
        onCell: gotoCell,
      });
      drawn.querySelector("figcaption .of")?.append(key(own, parts.length > 1));
      return drawn;
    });
  });
}

/** What the marks of a chart mean; on a line of its own where charts beside it have one too. */
function key(kinds: CrashKind[], apart: boolean): HTMLElement {
  const item = (...what: Child[]): HTMLElement => h("span", {}, ...what);
  const shapes = kinds.map((kind) => item(`${KINDS[kind].glyph} ${t("crash-kind", { kind })}`));
  return h(
    "span",
    { class: apart || kinds.length > 1 ? "key apart" : "key" },
    item(h("i", { class: "filled" }), t("crash-key-worst")),
    item(h("i", { class: "hollow" }), t("crash-key-median")),
    ...(kinds.length > 1 ? shapes : []),
  );
}

export function crash(view: View): HTMLElement | null {
  const rows = rowsOf(view);
  if (rows.length === 0) return null;
  const compared = rows.flatMap((row) => {
    const log = row.crash.binary_log;
    return log ? [{ ...row, log }] : [];
  });
  const notes = [note(t("crash-note")), broken(rows)];
  const replicated = rows.flatMap((row) => {
    const { replicas } = row.crash;
    return replicas ? [{ ...row, replicas }] : [];
  });
  const tables = [lost(view, rows), ...logs(view, compared), ...replicas(view, replicated)];
  return section("crash", t("crash"), ...notes, ...tables);
}

/** Promises that were broken stand above everything else, in words. */
function broken(rows: Row[]): HTMLElement | null {
  const all = rows.filter(({ crash }) => crash.standing === "broken");
  if (all.length === 0) return null;
  const one = ({ crash }: Row): HTMLElement =>
    h("li", { class: "trust red" }, t("sentence", { text: say(crash.says) }));
  return h("ul", { class: "plain" }, ...all.map(one));
}

const PROMISES: Record<CrashStanding, "kept" | "broken" | "none"> = {
  kept: "kept",
  broken: "broken",
  lost: "none",
  spared: "none",
};

/** What a row is about: cells differ by target and crash, and where they do by workload and clients. */
function about<R extends Row>(view: View, rows: R[]): Column<R>[] {
  const label = ({ cell }: Row): string => view.targets[cell.target]?.label ?? "";
  const kind = ({ crash }: Row): string => t("crash-kind", { kind: crash.kind });
  const vary = (by: (cell: Cell) => unknown): boolean =>
    new Set(rows.map(({ cell }) => by(cell))).size > 1;
  return [
    { head: t("target"), value: label, show: (row) => link(row.cell, label(row)) },
    ...(vary((cell) => workOf(view, cell))
      ? [
          {
            head: t("workload"),
            value: ({ cell }: R) => view.workloads[cell.workload]?.label ?? null,
          },
        ]
      : []),
    ...(vary((cell) => cell.threads)
      ? [{ head: t("clients"), value: ({ cell }: R) => cell.threads }]
      : []),
    { head: t("crash-column"), value: kind, show: (row) => whole(kind(row)) },
  ];
}

function lost(view: View, rows: Row[]): HTMLElement {
  const promise = ({ crash }: Row): string =>
    t("crash-promise", { standing: PROMISES[crash.standing] });
  const columns: Column<Row>[] = [
    ...about(view, rows),
    {
      head: t("crash-promised"),
      value: promise,
      show: (row) => marked(row, promise(row)),
    },
    figures(rows, t("transactions-per-s"), ({ cell }) => cell.throughput_per_s?.mean ?? null),
    {
      head: t("crash-lost"),
      value: ({ crash }) => lostIn(crash),
      show: (row) => marked(row, lostIn(row.crash)),
    },
    // Of servers that never answered it is not known what they lost.
    figures(rows, t("crash-most"), ({ crash }) =>
      crash.lost_ms_worst === null ? null : crash.lost_most,
    ),
    figures(rows, t("in-ms", { what: t("crash-worst") }), ({ crash }) => crash.lost_ms_worst),
    figures(rows, t("in-ms", { what: t("crash-median") }), ({ crash }) => crash.lost_ms_median),
    figures(rows, t("crash-recovery"), ({ crash }) => crash.recovery_s),
    // Processes that are killed tear nothing.
    ...(rows.some(({ crash }) => crash.torn.length > 0)
      ? [{ head: t("crash-torn"), value: ({ crash }: Row) => tornAt(crash) }]
      : []),
  ];
  return table({ caption: t("crash"), captionHidden: true, columns, rows });
}

/** In how many crashes the disk kept a part, by what it wrote whole. */
function tornAt({ torn }: CrashSummary): string {
  const one = ({ bytes: size, crashes }: TornAt): string =>
    t("crash-torn-at", { bytes: bytes(size), crashes });
  return torn.map(one).join(", ");
}

interface LogRow extends Row {
  log: LogSummary;
}

/** What the binary logs lacked or had too much, where they were compared. */
function logs(view: View, rows: LogRow[]): HTMLElement[] {
  if (rows.length === 0) return [];
  const lacks = ({ log }: LogRow): string =>
    harmedIn(log.lost_in, log.compared, log.lost_bound, log.unreadable);
  const differs = ({ log }: LogRow): string =>
    harmedIn(log.differs_in, log.compared, log.differs_bound, 0);
  /** Of logs that could not be read it is not known what they have. */
  const known = (of: (log: LogSummary) => number | null) => {
    return ({ log }: LogRow): number | null => (log.compared > 0 ? of(log) : null);
  };
  const columns: Column<LogRow>[] = [
    ...about(view, rows),
    { head: t("crash-log-lost"), value: lacks, show: (row) => marked(row, lacks(row)) },
    figures(
      rows,
      t("crash-log-most"),
      known((log) => log.lost_most),
    ),
    figures(rows, t("in-ms", { what: t("crash-log-worst") }), ({ log }) => log.lost_ms_worst),
    { head: t("crash-log-differs"), value: differs, show: (row) => marked(row, differs(row)) },
    figures(
      rows,
      t("crash-log-only-tables"),
      known((log) => log.only_in_tables_most),
    ),
    figures(
      rows,
      t("crash-log-only-log"),
      known((log) => log.only_in_log_most),
    ),
  ];
  return [
    heading("h3", "crash-log", t("crash-log")),
    note(t("crash-log-note")),
    table({ caption: t("crash-log"), captionHidden: true, columns, rows }),
  ];
}

interface ReplicasRow extends Row {
  replicas: CrashReplicasSummary;
}

/** What replicas had and lacked after a crash of their primary. */
function replicas(view: View, rows: ReplicasRow[]): HTMLElement[] {
  if (rows.length === 0) return [];
  const ahead = ({ replicas }: ReplicasRow): string =>
    harmedIn(replicas.ahead_in, replicas.compared, replicas.ahead_bound, replicas.unreadable);
  const stopped = ({ replicas }: ReplicasRow): string =>
    harmedIn(replicas.stopped_in, replicas.compared, null, 0);
  const diverged = ({ replicas }: ReplicasRow): string =>
    harmedIn(replicas.diverged_in, replicas.compared, null, 0);
  /** Beside a primary that did not recover nothing is known. */
  const known = (of: (replicas: CrashReplicasSummary) => number) => {
    return ({ replicas }: ReplicasRow): number | null =>
      replicas.compared > 0 ? of(replicas) : null;
  };
  const most = (head: string, of: (replicas: CrashReplicasSummary) => number) =>
    figures(rows, head, known(of));
  const columns: Column<ReplicasRow>[] = [
    ...about(view, rows),
    { head: t("crash-replicas-ahead"), value: ahead, show: (row) => marked(row, ahead(row)) },
    most(t("crash-replicas-most"), ({ ahead_most }) => ahead_most),
    most(t("crash-replicas-saved"), ({ saved_most }) => saved_most),
    { head: t("crash-replicas-stopped"), value: stopped, show: (row) => marked(row, stopped(row)) },
    {
      head: t("crash-replicas-diverged"),
      value: diverged,
      show: (row) => marked(row, diverged(row)),
    },
    most(t("crash-replicas-lacking"), ({ lacking_most }) => lacking_most),
    figures(rows, t("crash-replicas-lost"), ({ replicas }) =>
      replicas.told > 0 ? replicas.lost_most : null,
    ),
  ];
  return [
    heading("h3", "crash-replicas", t("crash-replicas")),
    note(t("crash-replicas-note")),
    table({ caption: t("crash-replicas"), captionHidden: true, columns, rows }),
  ];
}

function link(cell: Cell, label: string): Child {
  const swatch = h("i", { class: "swatch", style: `background:${style(cell.target).colour}` });
  const href = `#${encodeURIComponent(cellAnchor(cell.id))}`;
  return h("span", { class: "option" }, swatch, h("a", { href }, label));
}

/** A column of figures. Nothing at all is a plain 0, which no rounding makes of something. */
function figures<R extends Row>(
  rows: R[],
  head: string,
  value: (row: R) => number | null,
): Column<R> {
  const all = rows.map((row) => value(row) ?? 0);
  const decimals = all.every(Number.isInteger) ? 0 : decimalsOfAll(all);
  return {
    head,
    value,
    show: (row) => (value(row) === 0 ? "0" : fixed(value(row), decimals)),
  };
}

/** Words on one line. */
function whole(words: string): HTMLElement {
  return h("span", { class: "option" }, words);
}

/** What stands to a broken promise is bad. */
function marked({ crash }: Row, words: string): HTMLElement {
  return crash.standing === "broken" ? h("b", { class: "bad option" }, words) : whole(words);
}
