// What a cell's server did: its machine in words, then the statements, waits and threads that took its time, the plans,
// and what a transaction cost.

import { type Child, h } from "../dom";
import { bytes, decimalsOf, figure, fixed, NOTHING, percent, unitName } from "../format";
import { say, t } from "../i18n";
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
    h("h4", {}, t("server_did")),
    machine && h("p", {}, machineWords(machine)),
    tops && tops.statements.length > 0 && statements(tops.statements),
    tops?.undigested && undigested(tops.undigested),
    tops && tops.waits.length > 0 && waits(t("top_waits"), tops.waits),
    tops && tops.stages.length > 0 && waits(t("top_stages"), tops.stages),
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
    `${t("unseen")}${t("colon")}`,
    h("span", { lang: "en" }, words),
  );
}

/** The machine in sentences: CPU, disks, network and memory, waiting. */
function machineWords(machine: MachineUse): string {
  const said = [
    whose(machine),
    cpu(machine),
    disks(machine),
    rest(machine),
    pressure(machine),
  ].filter((words) => words !== "");
  const text = said
    .map((words) => words.charAt(0).toUpperCase() + words.slice(1) + t("sentence_end"))
    .join("");
  // A figure and its unit stay on one line.
  return text.trimEnd().replace(/(\d) (?=%|ms|MiB|GiB|KiB|毫秒)/g, "$1\u00a0");
}

function whose(machine: MachineUse): string {
  return machine.server_is_here ? "" : t("machine_elsewhere");
}

function cpu(machine: MachineUse): string {
  const modes: [string, number][] = [
    [t("cpu_programs"), machine.cpu_user],
    [t("cpu_kernel"), machine.cpu_system],
    [t("cpu_disk"), machine.cpu_iowait],
    [t("cpu_stolen"), machine.cpu_steal],
    [t("cpu_idle"), machine.cpu_idle],
  ];
  const parts = modes
    .filter(([, share]) => share >= WORTH_SAYING)
    .map(([name, share]) => `${name} ${percent(share, 0)}`);
  const used =
    machine.server_cpus === null ? [] : [t("server_used", { cpus: figure(machine.server_cpus) })];
  const throttled =
    machine.throttled !== null && machine.throttled >= WORTH_SAYING
      ? [t("throttled", { share: percent(machine.throttled, 0) })]
      : [];
  const queue = t("run_queue_mean", { threads: figure(machine.run_queue) });
  return `${t("cpu_shares")}${parts.join(t("list_gap"))}${t("clause_gap")}${[...used, queue, ...throttled].join(t("clause_gap"))}`;
}

function disks(machine: MachineUse): string {
  const way = (
    label: "disk_wrote" | "disk_did_read",
    bytes_per_s: number,
    per_s: number,
    each_ms: number | null,
  ): string[] => {
    // Less than one in ten seconds is the machine's own housekeeping.
    if (per_s < 0.1) return [];
    const each = each_ms === null ? "" : t("each_ms", { ms: figure(each_ms) });
    return [t(label, { rate: figure(bytes_per_s / 2 ** 20), count: figure(per_s) }) + each];
  };
  const parts = [
    ...way(
      "disk_wrote",
      machine.disk_written_bytes_per_s,
      machine.disk_writes_per_s,
      machine.disk_write_ms,
    ),
    ...way(
      "disk_did_read",
      machine.disk_read_bytes_per_s,
      machine.disk_reads_per_s,
      machine.disk_read_ms,
    ),
  ];
  if (parts.length > 0 && machine.disk_busy !== null)
    parts.push(t("disk_busy", { share: percent(machine.disk_busy, 0) }));
  return parts.join(t("clause_gap"));
}

function rest(machine: MachineUse): string {
  const { network_bytes_per_s, memory_available_bytes, round_trip_ms } = machine;
  return [
    ...(network_bytes_per_s >= 1024
      ? [t("network_rate", { rate: bytes(Math.round(network_bytes_per_s)) })]
      : []),
    ...(memory_available_bytes > 0
      ? [t("memory_left", { memory: bytes(memory_available_bytes) })]
      : []),
    ...(round_trip_ms === null ? [] : [t("round_trip_median", { ms: figure(round_trip_ms) })]),
  ].join(t("clause_gap"));
}

function pressure(machine: MachineUse): string {
  const waited: [string, number | null][] = [
    [t("pressure_cpu"), machine.pressure_cpu],
    [t("pressure_io"), machine.pressure_io],
    [t("pressure_memory"), machine.pressure_memory],
  ];
  const parts = waited
    .filter(([, share]) => share !== null && share >= WORTH_SAYING)
    .map(([name, share]) => `${name} ${percent(share, 0)}`);
  return parts.length === 0 ? "" : `${t("pressure")}${parts.join(t("list_gap"))}`;
}

/** A column of figures that align, with three digits for the greatest. */
function figures<Row>(head: string, rows: Row[], value: (row: Row) => number): Column<Row> {
  return { head, value, decimals: decimalsOf(rows.map(value)) };
}

function statements(rows: TopStatement[]): HTMLElement {
  return table<TopStatement>({
    caption: t("top_statements"),
    rows,
    most: MOST,
    columns: [
      {
        head: t("statement"),
        value: (r) => r.text,
        show: (r) => h("code", { class: "long" }, r.text),
      },
      { head: `${t("share_of_time")}, %`, value: (r) => r.share * 100, decimals: 1 },
      { head: t("per_transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: `${t("mean")}, ms`, value: (r) => r.mean_ms, decimals: 3 },
      figures(t("rows_examined"), rows, (r) => r.rows_examined),
      figures(t("rows_returned"), rows, (r) => r.rows_returned),
      { head: `${t("full_scans")}, %`, value: (r) => r.full_scans * 100, decimals: 0 },
      ...(rows.some((r) => r.errors > 0)
        ? [{ head: t("errors_count"), value: (r: TopStatement) => r.errors }]
        : []),
    ],
  });
}

/** Statements of which the server keeps no digest, as the clients timed them. */
function undigested({ says, by_client: rows }: Undigested): HTMLElement {
  type Timed = Undigested["by_client"][number];
  const made = table<Timed>({
    caption: t("as_clients_timed"),
    rows,
    most: MOST,
    columns: [
      { head: t("operation"), value: (r) => r.operation, show: (r) => h("code", {}, r.operation) },
      { head: `${t("share_of_time")}, %`, value: (r) => r.share * 100, decimals: 1 },
      { head: t("per_transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: `${t("mean")}, ms`, value: (r) => r.mean_ms, decimals: 3 },
    ],
  });
  return h(
    "div",
    { class: "undigested" },
    h("p", {}, `${say(says)}${t("full_stop")}`),
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
      { head: t("ms_each_transaction"), value: (r) => r.ms_per_transaction, decimals: 3 },
      { head: t("per_transaction"), value: (r) => r.per_transaction, decimals: 2 },
      { head: t("threads_in_it"), value: (r) => r.threads, decimals: 2 },
    ],
  });
}

function threads(rows: TopThreads[]): HTMLElement {
  return table<TopThreads>({
    caption: t("top_threads"),
    rows,
    most: MOST,
    columns: [
      { head: t("thread_name"), value: (r) => r.name, show: (r) => h("code", {}, r.name) },
      { head: t("threads"), value: (r) => r.threads },
      { head: t("cpus_used"), value: (r) => r.cpus, decimals: 2 },
      { head: t("busiest_thread"), value: (r) => r.busiest, decimals: 2 },
    ],
  });
}

function costsOfCell(rows: Cost[]): HTMLElement {
  return table<Cost>({
    caption: t("costs"),
    lines: [t("costs_note")],
    rows,
    most: MOST,
    columns: [
      { head: t("cost"), value: (r) => say(r.label) },
      {
        head: t("per_transaction_cost"),
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
    t(
      plan.error !== null
        ? "plan_missing"
        : plan.changed_to === null
          ? "plan_same"
          : "plan_changed",
    );
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
        head: t("plan_steps"),
        value: (r) => r.error ?? (r.says.join("; ") || NOTHING),
        show: steps,
      },
      {
        head: t("plan_after"),
        value: state,
        show: (r) => (r.changed_to === null ? state(r) : h("b", { class: "bad" }, state(r))),
      },
    ],
  });
  const title =
    changed.length > 0
      ? t("plans_changed", { count: rows.length, changed: changed.length })
      : t("plans_count", { count: rows.length });
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
    h("span", { class: "about" }, t("plan_then")),
    ...lines(plan.changed_to),
  );
}
