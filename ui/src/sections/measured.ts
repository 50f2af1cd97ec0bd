// One line that says what was measured: servers, data, seconds and repeats, load, machine, date. And the title of the page.

import { bytes, fixed, moment } from "../format";
import { joined, t } from "../i18n";
import type { Run, View, WorkloadView } from "../view";
import { clauses } from "./clauses";

export function measured(view: View): string {
  const [first] = view.runs;
  const parts = [
    servers(view),
    data(namedOnce(view)),
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
  return joined("join-list", [...new Set(names)]);
}

/** A search tries the same workload at many rates. */
function namedOnce(view: View): WorkloadView[] {
  const searched = (view.capacities ?? []).map((one) => one.workload);
  if (searched.length === 0) return view.workloads;
  const first = new Map<string, WorkloadView>();
  for (const one of view.workloads) {
    const label = searched.find(
      (base) => one.label === base || one.label.startsWith(`${base} at `),
    );
    if (label !== undefined && !first.has(label)) first.set(label, { ...one, label });
  }
  return [...first.values()];
}

/** More workloads are only counted. */
const NAMED = 3;

/** The workloads and their rows, which several have in common most of the time. */
function data(workloads: WorkloadView[]): string {
  const sizes = new Set(workloads.map(size));
  const called = ({ label, name }: WorkloadView): string =>
    label === name || name === "imported" ? label : `${label} (${name})`;
  if (workloads.length > NAMED)
    return joined("join-phrases", [
      t("workloads-count", { count: workloads.length }),
      sizes.size === 1 ? [...sizes][0] : "",
    ]);
  if (sizes.size === 1)
    return joined("join-phrases", [joined("join-list", workloads.map(called)), [...sizes][0]]);
  return workloads.map((one) => joined("join-phrases", [called(one), size(one)])).join(" · ");
}

function size({ name, options }: WorkloadView): string {
  const number = (option: string): number => Number(options[option] ?? Number.NaN);
  const [tables, rows, warehouses] = [number("tables"), number("table-size"), number("warehouses")];
  if (name === "tpcc" && warehouses > 0) return t("warehouses-count", { count: warehouses });
  if (!(rows > 0)) return "";
  return t("tables-of-rows", { tables: Math.max(1, tables || 1), rows });
}

/** Clients, seconds and repeats. */
function extent(view: View, run: Run): string {
  const threads = [...new Set(view.cells.map((c) => c.threads))].sort((a, b) => a - b);
  const [from, to] = [threads[0] ?? 0, threads[threads.length - 1] ?? 0];
  const many = from === to ? t("clients-count", { count: from }) : t("clients-range", { from, to });
  const planned = view.cells.map((c) => c.runs_planned);
  const searches = (view.capacities ?? []).length > 0;
  const repeats = searches ? planned.reduce((sum, n) => sum + n, 0) : Math.max(0, ...planned);
  const seconds = run.time_s > 0 ? run.time_s : (view.cells[0]?.trials[0]?.measured_s ?? 0);
  const window =
    run.events > 0 && run.time_s === 0
      ? t("transactions-count", { count: run.events })
      : t("seconds-value", { value: fixed(seconds, seconds < 10 && seconds % 1 !== 0 ? 1 : 0) });
  if (!(seconds > 0) && run.events === 0) return many;
  return joined("join-phrases", [
    many,
    repeats > 1 ? t("repeats-of", { repeats, window }) : window,
  ]);
}

function load(run: Run): string {
  return run.rate_per_s === null ? "" : t("offered-rate", { rate: fixed(run.rate_per_s, 0) });
}

function machine(view: View, { host, imported }: Run): string {
  if (imported)
    return t("measured-with", {
      tool: [imported.tool, imported.version].filter(Boolean).join(" "),
    });
  if (!(host.cpus > 0)) return "";
  const size = t("machine-size", {
    cpus: host.cpus,
    memory: bytes(Math.round(host.memory_bytes / 2 ** 30) * 2 ** 30),
  });
  const own = view.targets.every((target) => target.sandbox);
  return own ? size : t("generator-on", { machine: size });
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
