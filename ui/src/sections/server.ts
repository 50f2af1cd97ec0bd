// What a cell's server did: its machine in words, then the statements, waits and threads that took its time, the plans,
// and what a transaction cost.

import { type Child, h, placed } from "../dom";
import { bytes, decimalsOf, figure, fixed, NOTHING, percent, unitName } from "../format";
import { joined, say, t } from "../i18n";
import { type Column, table } from "../table";
import type {
  Cell,
  Cost,
  MachineUse,
  PlanSummary,
  TopStatement,
  TopThreads,
  TopWait,
  Undigested,
  Unseen,
} from "../view";
import { note } from "./section";

/** More are shown when they are asked for. */
const MOST = 5;
const WORTH_SAYING = 0.005;

/** Nothing of a cell that was not watched. */
export function server(cell: Cell): HTMLElement | null {
  const { costs = [], machine, plans = [], tops } = cell;
  if (costs.length === 0 && !machine && plans.length === 0 && !tops) return null;
  return h(
    "div",
    { class: "server" },
    h("h4", {}, t("server-did")),
    machine && h("p", {}, machineWords(machine)),
    tops && tops.statements.length > 0 && statements(tops.statements),
    tops?.undigested && undigested(tops.undigested),
    tops && tops.waits.length > 0 && waits(t("top-waits"), tops.waits),
    tops && tops.stages.length > 0 && waits(t("top-stages"), tops.stages),
    tops && tops.threads.length > 0 && threads(tops.threads),
    costs.length > 0 && costsOfCell(costs),
    plans.length > 0 && plansOfCell(plans),
    tops && unseen(tops.unseen),
    machine &&
      note(
        t("watching", {
          count: fixed(machine.readings, 0),
          each: figure(machine.reading_ms),
          late: figure(machine.reading_late_ms),
        }),
      ),
  );
}

/** What could not be seen, and the server's answer. */
export function unseen(list: Unseen[]): HTMLElement | null {
  if (list.length === 0) return null;
  const words = list.map(({ what, why }) => `${what} (${why})`).join("; ");
  return h(
    "p",
    { class: "note unseen" },
    ...placed(
      (text) => t("labelled", { label: t("unseen"), text }),
      h("span", { lang: "en" }, words),
    ),
  );
}

/** The machine in sentences: CPU, disks, network and memory, waiting. */
function machineWords(machine: MachineUse): string {
  const sentences = [
    machine.server_is_here ? "" : t("machine-elsewhere"),
    ...cpu(machine),
    ...disks(machine),
    ...rest(machine),
    pressure(machine),
  ];
  // A figure and its unit stay on one line.
  return joined("join-sentences", sentences).replace(/(\d) (?=%|ms|MiB|GiB|KiB|毫秒)/g, "$1\u00a0");
}

/** Shares that are worth saying, in a row. */
function shares(
  all: [share: number | null, words: (values: { share: string }) => string][],
): string {
  return joined(
    "join-list",
    all.map(([share, words]) =>
      share !== null && share >= WORTH_SAYING ? words({ share: percent(share, 0) }) : "",
    ),
  );
}

function cpu(machine: MachineUse): string[] {
  const modes = shares([
    [machine.cpu_user, (values) => t("cpu-user", values)],
    [machine.cpu_system, (values) => t("cpu-system", values)],
    [machine.cpu_iowait, (values) => t("cpu-iowait", values)],
    [machine.cpu_steal, (values) => t("cpu-steal", values)],
    [machine.cpu_idle, (values) => t("cpu-idle", values)],
  ]);
  const { server_cpus, run_queue, throttled } = machine;
  return [
    modes === "" ? "" : t("cpu-shares", { shares: modes }),
    server_cpus === null ? "" : t("server-used", { cpus: figure(server_cpus) }),
    t("run-queue-mean", { threads: figure(run_queue) }),
    throttled !== null && throttled >= WORTH_SAYING
      ? t("throttled", { share: percent(throttled, 0) })
      : "",
  ];
}

function disks(machine: MachineUse): string[] {
  const way = (
    [plain, timed]: ["disk-wrote", "disk-wrote-each"] | ["disk-did-read", "disk-did-read-each"],
    bytes_per_s: number,
    per_s: number,
    each_ms: number | null,
  ): string[] => {
    // Less than one in ten seconds is the machine's own housekeeping.
    if (per_s < 0.1) return [];
    const values = { rate: figure(bytes_per_s / 2 ** 20), count: figure(per_s) };
    return [each_ms === null ? t(plain, values) : t(timed, { ...values, ms: figure(each_ms) })];
  };
  const said = [
    ...way(
      ["disk-wrote", "disk-wrote-each"],
      machine.disk_written_bytes_per_s,
      machine.disk_writes_per_s,
      machine.disk_write_ms,
    ),
    ...way(
      ["disk-did-read", "disk-did-read-each"],
      machine.disk_read_bytes_per_s,
      machine.disk_reads_per_s,
      machine.disk_read_ms,
    ),
  ];
  if (said.length > 0 && machine.disk_busy !== null)
    said.push(t("disk-busy", { share: percent(machine.disk_busy, 0) }));
  return said;
}

function rest(machine: MachineUse): string[] {
  const { network_bytes_per_s, memory_available_bytes, round_trip_ms } = machine;
  return [
    network_bytes_per_s >= 1024
      ? t("network-rate", { rate: bytes(Math.round(network_bytes_per_s)) })
      : "",
    memory_available_bytes > 0 ? t("memory-left", { memory: bytes(memory_available_bytes) }) : "",
    round_trip_ms === null ? "" : t("round-trip-median", { ms: figure(round_trip_ms) }),
  ];
}

function pressure(machine: MachineUse): string {
  const waits = shares([
    [machine.pressure_cpu, (values) => t("pressure-cpu", values)],
    [machine.pressure_io, (values) => t("pressure-io", values)],
    [machine.pressure_memory, (values) => t("pressure-memory", values)],
  ]);
  return waits === "" ? "" : t("pressure", { shares: waits });
}

/** A column of figures that align, with three digits for the greatest. */
function figures<Row>(head: string, rows: Row[], value: (row: Row) => number): Column<Row> {
  return { head, value, decimals: decimalsOf(rows.map(value)) };
}

function statements(rows: TopStatement[]): HTMLElement {
  return table<TopStatement>({
    caption: t("top-statements"),
    rows,
    most: MOST,
    columns: [
      {
        head: t("statement"),
        value: (r) => r.text,
        show: (r) => h("code", { class: "long" }, r.text),
      },
      {
        head: t("in-percent", { what: t("share-of-time") }),
        value: (r) => r.share * 100,
        decimals: 1,
      },
      { head: t("per-transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: t("in-ms", { what: t("mean") }), value: (r) => r.mean_ms, decimals: 3 },
      figures(t("rows-examined"), rows, (r) => r.rows_examined),
      figures(t("rows-returned"), rows, (r) => r.rows_returned),
      {
        head: t("in-percent", { what: t("full-scans") }),
        value: (r) => r.full_scans * 100,
        decimals: 0,
      },
      ...(rows.some((r) => r.errors > 0)
        ? [{ head: t("errors-count"), value: (r: TopStatement) => r.errors }]
        : []),
    ],
  });
}

/** Statements of which the server keeps no digest, as the clients timed them. */
function undigested({ says, by_client: rows }: Undigested): HTMLElement {
  type Timed = Undigested["by_client"][number];
  const made = table<Timed>({
    caption: t("as-clients-timed"),
    rows,
    most: MOST,
    columns: [
      { head: t("operation"), value: (r) => r.operation, show: (r) => h("code", {}, r.operation) },
      {
        head: t("in-percent", { what: t("share-of-time") }),
        value: (r) => r.share * 100,
        decimals: 1,
      },
      { head: t("per-transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: t("in-ms", { what: t("mean") }), value: (r) => r.mean_ms, decimals: 3 },
    ],
  });
  return h(
    "div",
    { class: "undigested" },
    h("p", {}, t("sentence", { text: say(says) })),
    rows.length > 0 && made,
  );
}

function waits(caption: string, rows: TopWait[]): HTMLElement {
  return table<TopWait>({
    caption,
    rows,
    most: MOST,
    columns: [
      {
        head: t("event"),
        value: (r) => r.event,
        show: (r) => h("code", { class: "long" }, r.event),
      },
      { head: t("ms-per-transaction"), value: (r) => r.ms_per_transaction, decimals: 3 },
      { head: t("per-transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: t("threads-in-it"), value: (r) => r.threads, decimals: 2 },
    ],
  });
}

function threads(rows: TopThreads[]): HTMLElement {
  return table<TopThreads>({
    caption: t("top-threads"),
    rows,
    most: MOST,
    columns: [
      ...(rows.some((r) => r.server)
        ? [{ head: t("of-which-server"), value: (r: TopThreads) => r.server ?? "" }]
        : []),
      { head: t("thread-name"), value: (r) => r.name, show: (r) => h("code", {}, r.name) },
      { head: t("threads"), value: (r) => r.threads },
      { head: t("cpus-used"), value: (r) => r.cpus, decimals: 2 },
      { head: t("busiest-thread"), value: (r) => r.busiest, decimals: 2 },
    ],
  });
}

function costsOfCell(rows: Cost[]): HTMLElement {
  return table<Cost>({
    caption: t("costs"),
    lines: [t("costs-note")],
    rows,
    most: MOST,
    columns: [
      { head: t("cost"), value: (r) => say(r.label) },
      {
        head: t("per-transaction"),
        value: (r) => r.per_transaction,
        show: (r) => `${figure(r.per_transaction)} ${unitName(r.unit)}`.trim(),
      },
    ],
  });
}

/** Folded, unless one is worth a look: changed, or missing. */
function plansOfCell(rows: PlanSummary[]): HTMLElement {
  const changed = rows.filter((plan) => plan.changed_to !== null);
  const state = (plan: PlanSummary): string =>
    t("plan-is", {
      state: plan.error !== null ? "missing" : plan.changed_to === null ? "same" : "changed",
    });
  const made = table<PlanSummary>({
    caption: t("plans"),
    captionHidden: true,
    // Those that changed first.
    rows: [...changed, ...rows.filter((plan) => plan.changed_to === null)],
    most: Math.max(MOST, changed.length),
    columns: [
      {
        head: t("operation"),
        value: (r) => r.operation,
        show: (r) => h("code", { title: r.sql }, r.operation),
      },
      {
        head: t("plan-steps"),
        value: (r) => r.error ?? (r.says.join("; ") || NOTHING),
        show: steps,
      },
      {
        head: t("plan-after"),
        value: state,
        show: (r) => (r.changed_to === null ? state(r) : h("b", { class: "bad" }, state(r))),
      },
    ],
  });
  const title =
    changed.length > 0
      ? t("plans-changed", { count: rows.length, changed: changed.length })
      : t("plans-count", { count: rows.length });
  return h("details", { class: "fold", open: changed.length > 0 }, h("summary", {}, title), made);
}

function steps(plan: PlanSummary): Child {
  const lines = (says: string[]): HTMLElement[] =>
    says.map((line) => h("code", { class: "long step" }, line));
  if (plan.error !== null) return h("span", { lang: "en" }, plan.error);
  if (plan.changed_to === null) return h("div", { lang: "en" }, ...lines(plan.says));
  return h(
    "div",
    { lang: "en" },
    ...lines(plan.says),
    h("span", { class: "about" }, t("plan-then")),
    ...lines(plan.changed_to),
  );
}
