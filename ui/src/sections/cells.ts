// Ten minutes: every cell in detail, made when it is opened.

import { style } from "../charts/base";
import { distributionOption } from "../charts/distribution";
import {
  isOpenLoop,
  overTimeHeight,
  overTimeOption,
  shownTrials,
  type TimeMetric,
} from "../charts/overtime";
import { pooled } from "../charts/points";
import { spark } from "../charts/spark";
import type { Zoom } from "../charts/zoom";
import { type Child, h, lazyDetails } from "../dom";
import { decimalsOf, decimalsOfAll, ends, fixed, NOTHING } from "../format";
import { joined, say, t } from "../i18n";
import { cellAnchor, keepPlace } from "../place";
import { ended, setAside } from "../said";
import { table, type Column } from "../table";
import type { Cell, Failure, Latency, Operation, StatedRow, Trial, View } from "../view";
import { TIME_TITLES } from "./answer";
import { overview, sharedZoom } from "./overview";
import { figure, heading, note, section } from "./section";
import { reported } from "./reported";
import { server } from "./server";
import { timelines } from "./timeline";
import { inLanguage } from "./translated";
import { tpccTypes } from "./tpcc";

const DISTRIBUTION_PX = 300;

export function cells(view: View): HTMLElement {
  const several = view.workloads.length > 1;
  const groups = view.workloads.flatMap((workload, w) =>
    view.targets.map((target, i) => {
      const own = view.cells.filter((c) => c.workload === w && c.target === i);
      if (own.length === 0) return null;
      const title = several ? `${target.label} · ${workload.label}` : target.label;
      return h(
        "div",
        { class: "cells" },
        heading("h3", `cells-${w}-${i}`, title, swatch(i)),
        ...listed(view, own),
      );
    }),
  );
  return section("cells", t("cells"), note(t("cells-note")), ...groups);
}

/** Decimals of the columns of a list, so that its figures stand below each other. */
interface Decimals {
  rate: number;
  p95: number;
}

function listed(view: View, own: Cell[]): HTMLElement[] {
  const decimals = {
    rate: decimalsOf(own.map((c) => c.throughput_per_s?.mean ?? 0)),
    p95: decimalsOfAll(own.map((c) => pooled(c, "response_p95_ms") ?? 0)),
  };
  return own.map((cell) => one(view, cell, decimals));
}

function swatch(target: number): HTMLElement {
  return h("i", { class: "swatch", style: `background:${style(target).colour}` });
}

function one(view: View, cell: Cell, decimals: Decimals): HTMLElement {
  const id = cellAnchor(cell.id);
  const details = lazyDetails(summary(cell, decimals), { id, class: "cell" }, () =>
    content(view, cell),
  );
  details.addEventListener("toggle", () => {
    if (details.open && !byItself) keepPlace(id);
    byItself = false;
  });
  // The only one is open from the start, which is no place that a reader went to.
  let byItself = view.cells.length === 1;
  details.open = byItself;
  return details;
}

/** One line of figures, so that the closed list is a table of contents with answers. */
function summary(cell: Cell, decimals: Decimals): Child[] {
  const estimate = cell.throughput_per_s;
  const name = h("span", { class: "number clients" }, t("clients-count", { count: cell.threads }));
  if (estimate === null) return [name, h("span", { class: "bad why" }, ended(cell))];
  const p95 = pooled(cell, "response_p95_ms");
  const state =
    cell.status === "completed"
      ? []
      : [h("span", { class: "bad" }, t("status", { status: cell.status }))];
  return [
    name,
    h(
      "span",
      { class: "number rate" },
      t("rate-value", { rate: fixed(estimate.mean, decimals.rate) }),
    ),
    h("span", { class: "number ends" }, ends(estimate) || t("single-trial")),
    h(
      "span",
      { class: "number p95" },
      p95 === null ? "" : t("p95-value", { value: fixed(p95, decimals.p95) }),
    ),
    spark(cell) ?? h("span", { class: "spark" }),
    h("span", { class: "mark" }, ...state, mark(cell)),
  ];
}

/** That a cell has caveats: shape, colour and words. */
function mark(cell: Cell): HTMLElement | null {
  const invalid = cell.caveats.filter((c) => c.severity === "invalid").length;
  const warned = cell.caveats.filter((c) => c.severity === "warn").length;
  if (invalid > 0) return h("span", { class: "trust red" }, t("validity", { level: "red" }));
  return warned > 0
    ? h("span", { class: "trust amber" }, t("caveats-count", { count: warned }))
    : null;
}

function content(view: View, cell: Cell): Child[] {
  const zoom = sharedZoom(cell);
  const caveats = cell.caveats.map((c) => h("li", { class: `caveat ${c.severity}` }, say(c.text)));
  return [
    caveats.length > 0 && h("ul", { class: "plain" }, ...caveats),
    cell.failure && h("p", { class: "caveat" }, ...failed(cell.failure)),
    cell.open_loop && h("p", {}, say(cell.open_loop.says)),
    ...(zoom ? [overview(view, cell, zoom, load(cell, zoom))] : load(cell, zoom)),
    cell.distribution && distribution(cell),
    ...timelines(cell, zoom),
    cell.tpcc && tpccTypes(cell.tpcc),
    cell.operations.length > 0 && operations(cell),
    reported(view, [cell]),
    cell.by_server && h("p", {}, say(cell.by_server)),
    network(cell),
    cell.together && h("p", {}, say(cell.together.says)),
    cell.together?.queues && h("p", {}, say(cell.together.queues)),
    cell.together?.reads && h("p", {}, say(cell.together.reads)),
    cell.simulated_network && h("p", {}, say(cell.simulated_network)),
    cell.router && h("p", {}, say(cell.router.says)),
    server(cell),
    trials(view, cell),
  ];
}

function failed({ message, hint }: Failure): Child[] {
  return [...inLanguage(message), hint && h("span", { class: "about" }, ...inLanguage(hint))];
}

/** Every repeat of the cell over time, and the same as a table. */
function load(cell: Cell, zoom: Zoom | undefined): Child[] {
  if (shownTrials(cell).length === 0) return [];
  const metrics: TimeMetric[] = [
    "throughput_per_s",
    "response_p95_ms",
    ...(hasBacklog(cell) ? (["backlog", "start_delay_ms"] as const) : []),
  ];
  return [
    h("div", { class: "multiples" }, ...metrics.map((metric) => overTime(cell, metric, zoom))),
    findings(cell),
    seconds(cell),
  ];
}

/** What stands out over time, a sentence each, and what the runs are too short to tell. */
function findings(cell: Cell): HTMLElement | null {
  const { findings: found, too_short } = cell.over_time ?? { findings: [], too_short: null };
  if (found.length === 0 && too_short === null) return null;
  const sentences = found.map(({ text }) => h("li", {}, say(text)));
  return h(
    "div",
    { class: "findings" },
    found.length > 0 && h("ul", { class: "plain" }, ...sentences),
    too_short && note(t("sentence", { text: say(too_short) })),
  );
}

/** Of a rate that was too much for a while there is more to see than zeros. */
function hasBacklog(cell: Cell): boolean {
  return cell.trials.some((trial) => (trial.series.backlog ?? []).some((waiting) => waiting > 0));
}

function overTime(cell: Cell, metric: TimeMetric, zoom: Zoom | undefined): HTMLElement {
  const label = t(
    metric === "throughput_per_s" && isOpenLoop(cell) ? "offered-over-time" : TIME_TITLES[metric],
  );
  return figure(label, {
    id: `${metric}-time-${cell.id}`,
    label: joined("join-phrases", [label, t("clients-count", { count: cell.threads })]),
    height_px: overTimeHeight(cell),
    group: `time-${cell.id}`,
    zoom,
    option: () => overTimeOption(cell, metric),
  });
}

/** The table twin of the charts over time. */
function seconds(cell: Cell): HTMLElement {
  interface Second {
    run: number;
    end_s: number;
    warmup: boolean;
    throughput_per_s: number;
    response_p95_ms: number | null;
    errors_per_s: number;
    offered_per_s: number | null;
    backlog: number | null;
  }
  const rows = (): Second[] =>
    shownTrials(cell).flatMap(({ repeat, series }) =>
      series.end_s.map((end_s, i) => ({
        run: repeat,
        end_s,
        warmup: i < series.warmup_intervals,
        throughput_per_s: series.throughput_per_s[i] ?? 0,
        response_p95_ms: series.response_p95_ms[i] ?? null,
        errors_per_s: series.errors_per_s[i] ?? 0,
        offered_per_s: series.offered_per_s?.[i] ?? null,
        backlog: series.backlog?.[i] ?? null,
      })),
    );
  return lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table<Second>({
      caption: t("over-time"),
      rows: rows(),
      columns: [
        { head: t("repeat"), value: (r) => r.run },
        { head: t("second"), value: (r) => r.end_s, decimals: 1 },
        { head: t("warm-up"), value: (r) => t(r.warmup ? "yes" : "no") },
        { head: t("transactions-per-s"), value: (r) => r.throughput_per_s, decimals: 1 },
        { head: t("in-ms", { what: "p95" }), value: (r) => r.response_p95_ms, decimals: 2 },
        { head: t("errors-per-s"), value: (r) => r.errors_per_s, decimals: 1 },
        ...(isOpenLoop(cell)
          ? [{ head: t("offered"), value: (r: Second) => r.offered_per_s, decimals: 1 }]
          : []),
        ...(isOpenLoop(cell) ? [{ head: t("backlog"), value: (r: Second) => r.backlog }] : []),
      ],
    }),
  ]);
}

function distribution(cell: Cell): HTMLElement {
  const label = t("distribution");
  const curve = cell.distribution;
  const rows = (curve?.percentile ?? []).map((p, i) => ({
    p,
    response: curve?.response_ms[i] ?? null,
    service: curve?.service_ms[i] ?? null,
  }));
  const twin = lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table({
      caption: label,
      rows,
      columns: [
        { head: t("percentile"), value: (r) => r.p, show: (r) => String(r.p) },
        { head: t("in-ms", { what: t("response-time") }), value: (r) => r.response, decimals: 3 },
        { head: t("in-ms", { what: t("service-time") }), value: (r) => r.service, decimals: 3 },
      ],
    }),
  ]);
  const same = isSame(curve);
  return figure(
    label,
    {
      id: `distribution-${cell.id}`,
      label: joined("join-phrases", [label, t("clients-count", { count: cell.threads })]),
      height_px: DISTRIBUTION_PX,
      option: (width) => distributionOption(cell, width),
    },
    note(joined("join-sentences", [t(same ? "times-equal" : "times-note"), t("percentile-axis")])),
    twin,
  );
}

/** Whether both curves are one, to a hundredth. */
function isSame(curve: Cell["distribution"]): boolean {
  const { response_ms = [], service_ms = [] } = curve ?? {};
  return (
    service_ms.length > 0 &&
    response_ms.every((ms, i) => Math.abs(ms - (service_ms[i] ?? 0)) <= 0.01 * ms)
  );
}

/** A latency of an operation: from due to done, or from sent to done. */
interface Origin {
  operation: Operation;
  origin: "service-time" | "response-time";
  latency: Latency;
}

/** Rows that are shown without being asked for. */
const OPERATIONS_MOST = 8;

/** Whether a transaction was due when it was sent, as in a closed loop: its two times are then one. */
function isOne({ response, service }: Operation): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 0.01 * Math.max(a, b);
  return (
    response !== null &&
    near(response.avg_ms, service.avg_ms) &&
    near(response.p99_ms, service.p99_ms) &&
    near(response.max_ms, service.max_ms)
  );
}

function operations(cell: Cell): HTMLElement {
  const whole = cell.operations.find((o) => o.kind === "transaction")?.service.sum_ms ?? 0;
  const share = ({ latency }: Pick<Origin, "latency">): number =>
    whole > 0 ? (latency.sum_ms / whole) * 100 : 0;
  const rows = cell.operations.flatMap((operation): Origin[] => {
    const service: Origin = { operation, origin: "service-time", latency: operation.service };
    if (!operation.response) return [service];
    const response: Origin = { operation, origin: "response-time", latency: operation.response };
    return isOne(operation) ? [response] : [response, service];
  });
  // The transaction first, then what takes the most of its time.
  const isWhole = (r: Origin): number => (r.operation.kind === "transaction" ? 0 : 1);
  rows.sort((a, b) => isWhole(a) - isWhole(b) || (isWhole(a) === 0 ? 0 : share(b) - share(a)));
  const origins = new Set(rows.filter((r) => isWhole(r) === 0).map((r) => r.origin)).size > 1;
  const latency = (
    head: string,
    pick: (l: Latency) => number,
    least = 1,
  ): { head: string; value: (r: Origin) => number | null; decimals: number } => ({
    head: t("in-ms", { what: head }),
    // Beyond a percentile of fewer values there is not one: it would be another name of the maximum.
    value: (r) => (r.operation.count >= least ? pick(r.latency) : null),
    decimals: 3,
  });
  return table<Origin>({
    caption: t("operations"),
    lines: [t(origins ? "times-note" : "times-equal")],
    rows,
    most: OPERATIONS_MOST,
    columns: [
      {
        head: t("operation"),
        value: (r) => r.operation.name,
        show: (r) => h("code", {}, r.operation.name),
      },
      ...(origins ? [{ head: t("time-kind"), value: (r: Origin) => t(r.origin) }] : []),
      {
        head: t("in-percent", { what: t("share-of-time") }),
        value: (r) => (whole > 0 ? share(r) : null),
        decimals: 1,
      },
      { head: t("count"), value: (r) => r.operation.count },
      { head: t("per-transaction"), value: (r) => r.operation.per_transaction, decimals: 2 },
      latency(t("average"), (l) => l.avg_ms),
      latency("p50", (l) => l.p50_ms),
      latency("p95", (l) => l.p95_ms, 20),
      latency("p99", (l) => l.p99_ms, 100),
      latency("p99.9", (l) => l.p999_ms, 1_000),
      latency("p99.99", (l) => l.p9999_ms, 10_000),
      latency(t("minimum"), (l) => l.min_ms),
      latency(t("maximum"), (l) => l.max_ms),
    ],
  });
}

/** What went over the sockets. */
function network(cell: Cell): HTMLElement | null {
  if (!cell.network) return null;
  const { sent_bytes, received_bytes, tls } = cell.network;
  const traffic = t("traffic", { sent: fixed(sent_bytes, 0), received: fixed(received_bytes, 0) });
  if (!tls) return h("p", {}, traffic);
  const { version, cipher } = tls;
  return h(
    "p",
    {},
    traffic,
    " ",
    t("tls-use", {
      version,
      cipher,
      handshakes: tls.handshakes,
      resumed: fixed(tls.resumed, 0),
    }),
  );
}

function outcome({ outcome, set_aside }: Trial): string {
  if (set_aside === undefined || set_aside.length === 0)
    return t("status", { status: outcome ?? "missing" });
  return setAside(set_aside);
}

/** What another tool reported of all transactions of a trial. */
function whole({ stated }: Trial): StatedRow | undefined {
  return stated?.[0];
}

function transactionsOf(trial: Trial): number | null {
  if (trial.outcome === null) return null;
  const reported = whole(trial);
  return reported ? reported.transactions : trial.transactions;
}

function rateOf(trial: Trial): number | null {
  const reported = whole(trial);
  if (reported) return reported.per_minute === null ? null : reported.per_minute / 60;
  return trial.measured_s > 0 ? trial.transactions / trial.measured_s : null;
}

function trials(view: View, cell: Cell): HTMLElement {
  // Another tool says nothing of connecting, of its data, and not when it began.
  const imported = cell.trials.some((trial) => whole(trial) !== undefined);
  const seenByMydyno: Column<Trial>[] = [
    { head: t("data-restored"), value: (r) => t(r.data_restored ? "yes" : "no") },
    { head: t("started"), value: (r) => r.started_at?.slice(11, 19) ?? NOTHING },
  ];
  return table<Trial>({
    caption: t("trials"),
    rows: cell.trials,
    columns: [
      { head: t("repeat"), value: (r) => r.repeat },
      { head: t("outcome"), value: outcome },
      { head: t("transactions"), value: transactionsOf },
      { head: t("transactions-per-s"), value: rateOf, decimals: 1 },
      {
        head: t("in-ms", { what: "p95" }),
        value: (r) => r.response?.p95_ms ?? whole(r)?.response.p95_ms ?? null,
        decimals: 2,
      },
      {
        head: t("in-ms", { what: "p99" }),
        value: (r) => r.response?.p99_ms ?? whole(r)?.response.p99_ms ?? null,
        decimals: 2,
      },
      {
        head: t("measured-s"),
        value: (r) => (r.outcome === null ? null : r.measured_s),
        decimals: 2,
      },
      ...(imported
        ? []
        : [
            {
              head: t("connect-s"),
              value: (r: Trial) => (r.outcome === null ? null : r.connect_s),
              decimals: 3,
            },
          ]),
      {
        head: t("errors-count"),
        value: (r) => (r.errors_unknown || r.outcome === null ? null : r.errors_forgiven),
      },
      { head: t("reconnects"), value: (r) => (r.outcome === null ? null : r.reconnects) },
      ...(imported ? [] : seenByMydyno),
      {
        head: t("recording"),
        value: (r) => `${view.runs[r.run]?.id ?? ""} #${fixed(r.index, 0)}`,
        show: (r) => h("code", {}, `${view.runs[r.run]?.id ?? ""} #${r.index}`),
      },
    ],
  });
}
