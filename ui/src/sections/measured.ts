// One line that says what was measured: servers, data, seconds and repeats, load, machine, date. And the title of the page.

import { bytes, fixed, moment } from "../format";
import { t } from "../i18n";
import type { Run, View, Workload } from "../view";
import { clauses } from "./clauses";

export function measured(view: View): string {
  const [first] = view.runs;
  const parts = [
    servers(view),
    data(view.workloads),
    ...(first
      ? [extent(view, first), load(first), machine(view, first), moment(first.started_at)]
      : []),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const PRODUCTS: Record<string, string> = {
  mysql: "MySQL",
  mariadb: "MariaDB",
  percona: "Percona Server",
};

/** Every product and version once; which target has which is further down. */
function servers(view: View): string {
  const names = view.targets.flatMap(({ server, label }) => {
    if (!server?.version)
      return view.targets.length > 1 || view.runs.some((run) => run.imported) ? [] : [label];
    const version = /^[\d.]+/.exec(server.version)?.[0] ?? server.version;
    return [`${PRODUCTS[server.flavour] ?? server.flavour} ${version}`];
  });
  return [...new Set(names)].join(t("list_gap"));
}

/** More workloads are only counted. */
const NAMED = 3;

/** The workloads and their rows, which several have in common most of the time. */
function data(workloads: Workload[]): string {
  const sizes = new Set(workloads.map(size));
  const called = ({ label, name }: Workload): string =>
    label === name || name === "imported" ? label : `${label} (${name})`;
  if (workloads.length > NAMED)
    return [t("workloads_many", { count: workloads.length }), sizes.size === 1 ? [...sizes][0] : ""]
      .filter(Boolean)
      .join(t("phrase_gap"));
  if (sizes.size === 1)
    return [workloads.map(called).join(t("list_gap")), [...sizes][0]]
      .filter(Boolean)
      .join(t("phrase_gap"));
  return workloads
    .map((one) => [called(one), size(one)].filter(Boolean).join(t("phrase_gap")))
    .join(" · ");
}

function size({ name, options }: Workload): string {
  const number = (option: string): number => Number(options[option] ?? Number.NaN);
  const [tables, rows, warehouses] = [number("tables"), number("table-size"), number("warehouses")];
  if (name === "tpcc" && warehouses > 0)
    return t(warehouses === 1 ? "warehouse_one" : "warehouses_many", {
      count: fixed(warehouses, 0),
    });
  if (!(rows > 0)) return "";
  return tables > 1
    ? t("rows_in_tables", { tables: fixed(tables, 0), rows: fixed(rows, 0) })
    : t("rows_in_table", { rows: fixed(rows, 0) });
}

/** Clients, seconds and repeats. */
function extent(view: View, run: Run): string {
  const threads = [...new Set(view.cells.map((c) => c.threads))].sort((a, b) => a - b);
  const [from, to] = [threads[0] ?? 0, threads[threads.length - 1] ?? 0];
  const many =
    from === to
      ? from === 1
        ? t("clients_one")
        : t("clients_many", { count: fixed(from, 0) })
      : t("clients_range", { from: fixed(from, 0), to: fixed(to, 0) });
  const repeats = Math.max(0, ...view.cells.map((c) => c.runs_planned));
  const seconds = run.time_s > 0 ? run.time_s : (view.cells[0]?.trials[0]?.measured_s ?? 0);
  const window =
    run.events > 0 && run.time_s === 0
      ? t("window_events", { count: fixed(run.events, 0) })
      : `${fixed(seconds, seconds < 10 && seconds % 1 !== 0 ? 1 : 0)}\u00a0${t("s")}`;
  if (!(seconds > 0) && run.events === 0) return many;
  return `${many}${t("phrase_gap")}${repeats > 1 ? `${fixed(repeats, 0)}\u00a0x\u00a0${window}` : window}`;
}

function load(run: Run): string {
  return run.rate_per_s === null ? "" : t("offered_rate", { rate: fixed(run.rate_per_s, 0) });
}

function machine(view: View, { host, imported }: Run): string {
  if (imported)
    return t("measured_with", {
      tool: [imported.tool, imported.version].filter(Boolean).join(" "),
    });
  if (!(host.cpus > 0)) return "";
  const size = t("machine_size", {
    cpus: host.cpus,
    memory: bytes(Math.round(host.memory_bytes / 2 ** 30) * 2 ** 30),
  });
  const own = view.targets.every((target) => target.sandbox);
  return own ? size : t("generator_on", { machine: size });
}

/** What the document is called: the verdict, what was measured, the date. A tab shows the first words. */
export function titleOf(verdict: string, what: string, started_at: string | null): string {
  const date = started_at?.slice(0, 10);
  return [shortened(verdict), what, date, "mydyno"].filter(Boolean).join(" · ");
}

const VERDICT_MOST = 70;

/** The first clause without figures in brackets, at most so long. */
export function shortened(sentence: string): string {
  const plain = sentence.replace(/\s*\[[^\]]*\]/g, "").replace(/\s*[(（][^)）]*[)）]/g, "");
  const clause = clauses(plain)[0]
    .replace(/[.。]$/, "")
    .trim();
  if ([...clause].length <= VERDICT_MOST) return clause;
  return `${[...clause]
    .slice(0, VERDICT_MOST - 1)
    .join("")
    .trimEnd()}…`;
}
