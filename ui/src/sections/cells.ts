// Ten minutes: every cell in detail, made when it is opened.

import { chart, style } from "../charts/base";
import { distributionOption } from "../charts/distribution";
import { overTimeHeight, overTimeOption, shownTrials, type TimeMetric } from "../charts/overtime";
import type { Zoom } from "../charts/zoom";
import { type Child, h, lazyDetails } from "../dom";
import { figure, fixed, NOTHING, plusMinus } from "../format";
import { clients, type Label, say, t } from "../i18n";
import { cellAnchor, keepPlace } from "../place";
import { table } from "../table";
import type { Cell, Latency, Operation, Trial, View } from "../view";
import { overview, sharedZoom } from "./overview";
import { note, section } from "./section";
import { server } from "./server";
import { timelines } from "./timeline";
import { tpccTypes } from "./tpcc";

const DISTRIBUTION_PX = 300;

export function cells(view: View): HTMLElement {
  const several = view.workloads.length > 1;
  const groups = view.workloads.flatMap((workload, w) =>
    view.targets.map((target, i) => {
      const own = view.cells.filter((c) => c.workload === w && c.target === i);
      if (own.length === 0) return null;
      const title = several ? `${target.label} · ${workload.label}` : target.label;
      return h("div", { class: "cells" }, h("h3", {}, swatch(i), title), ...own.map((cell) => one(view, cell)));
    }),
  );
  return section("cells", t("cells"), note(t("cells_note")), ...groups);
}

function swatch(target: number): HTMLElement {
  return h("i", { class: "swatch", style: `background:${style(target).colour}` });
}

function one(view: View, cell: Cell): HTMLElement {
  const id = cellAnchor(cell.id);
  const details = lazyDetails(summary(cell), { id, class: "cell" }, () => content(view, cell));
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
function summary(cell: Cell): Child[] {
  const estimate = cell.throughput_per_s;
  const figures =
    estimate === null
      ? [h("span", { class: "bad" }, `${t(cell.status)}${cell.failure ? `: ${cell.failure.message}` : ""}`)]
      : [
          h("span", { class: "number wide" }, `${figure(estimate.mean)} ${t("transactions_per_s")}`),
          h("span", { class: "number" }, plusMinus(estimate) || t("single_run")),
          h("span", { class: "number" }, `p95 ${figure(cell.response_p95_ms?.mean)} ${t("ms")}`),
          h("span", { class: "bad" }, cell.status === "completed" ? "" : t(cell.status)),
        ];
  return [h("span", { class: "number clients" }, clients(cell.threads)), ...figures];
}

function content(view: View, cell: Cell): Child[] {
  const zoom = sharedZoom(cell);
  const caveats = cell.caveats.map((c) => h("li", { class: `caveat ${c.severity}` }, say(c.text)));
  return [
    caveats.length > 0 && h("ul", { class: "plain" }, ...caveats),
    cell.failure && h("p", { class: "caveat" }, [cell.failure.message, cell.failure.hint ?? ""].filter(Boolean).join(" → ")),
    cell.open_loop && h("p", {}, say(cell.open_loop.says)),
    ...(zoom ? [overview(view, cell, zoom, load(cell, zoom))] : load(cell, zoom)),
    cell.distribution && distribution(cell),
    ...timelines(cell, zoom),
    cell.tpcc && tpccTypes(cell.tpcc),
    cell.operations.length > 0 && operations(cell),
    network(cell),
    server(cell),
    trials(view, cell),
  ];
}

/** Every run of the cell over time, and the same as a table. */
function load(cell: Cell, zoom: Zoom | undefined): Child[] {
  if (shownTrials(cell).length === 0) return [];
  const metrics: TimeMetric[] = ["throughput_per_s", "response_p95_ms", ...(hasBacklog(cell) ? ["backlog" as const] : [])];
  return [h("div", { class: "multiples" }, ...metrics.map((metric) => overTime(cell, metric, zoom))), findings(cell), seconds(cell)];
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
    too_short && note(`${say(too_short)}${t("full_stop")}`),
  );
}

/** Of a rate that was too much for a while there is more to see than zeros. */
function hasBacklog(cell: Cell): boolean {
  return cell.trials.some((trial) => (trial.series.backlog ?? []).some((waiting) => waiting > 0));
}

function overTime(cell: Cell, metric: TimeMetric, zoom: Zoom | undefined): HTMLElement {
  const label = t({ throughput_per_s: "over_time", response_p95_ms: "p95_over_time", backlog: "backlog_over_time" }[metric] as Label);
  const drawn = chart({
    id: `${metric}-time-${cell.id}`,
    label: `${label}, ${clients(cell.threads)}`,
    height_px: overTimeHeight(cell),
    group: `time-${cell.id}`,
    zoom,
    option: () => overTimeOption(cell, metric),
  });
  return h("figure", {}, h("figcaption", {}, label), drawn);
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
        backlog: series.backlog?.[i] ?? null,
      })),
    );
  return lazyDetails([t("table_twin")], { class: "twin" }, () => [
    table<Second>({
      caption: t("over_time"),
      rows: rows(),
      columns: [
        { head: t("run"), value: (r) => r.run },
        { head: t("second"), value: (r) => r.end_s, decimals: 1 },
        { head: t("warmup"), value: (r) => t(r.warmup ? "yes" : "no") },
        { head: t("transactions_per_s"), value: (r) => r.throughput_per_s, decimals: 1 },
        { head: "p95, ms", value: (r) => r.response_p95_ms, decimals: 2 },
        { head: t("errors_in_second"), value: (r) => r.errors_per_s, decimals: 1 },
        ...(hasBacklog(cell) ? [{ head: t("backlog"), value: (r: Second) => r.backlog }] : []),
      ],
    }),
  ]);
}

function distribution(cell: Cell): HTMLElement {
  const label = t("distribution");
  const curve = cell.distribution;
  const drawn = chart({
    id: `distribution-${cell.id}`,
    label: `${label}, ${clients(cell.threads)}`,
    height_px: DISTRIBUTION_PX,
    option: (width) => distributionOption(cell, width),
  });
  const rows = (curve?.percentile ?? []).map((p, i) => ({ p, response: curve?.response_ms[i] ?? null, service: curve?.service_ms[i] ?? null }));
  const twin = lazyDetails([t("table_twin")], { class: "twin" }, () => [
    table({
      caption: label,
      rows,
      columns: [
        { head: t("percentile"), value: (r) => r.p, show: (r) => String(r.p) },
        { head: `${t("response")}, ms`, value: (r) => r.response, decimals: 3 },
        { head: `${t("service")}, ms`, value: (r) => r.service, decimals: 3 },
      ],
    }),
  ]);
  return h("figure", {}, h("figcaption", {}, label), note(t("distribution_note")), drawn, twin);
}

/** A latency of an operation: from due to done, or from sent to done. */
interface Origin {
  operation: Operation;
  origin: Label;
  latency: Latency;
}

function operations(cell: Cell): HTMLElement {
  const whole = cell.operations.find((o) => o.kind === "transaction")?.service.sum_ms ?? 0;
  const rows = cell.operations.flatMap((operation): Origin[] => {
    const service: Origin = { operation, origin: "service", latency: operation.service };
    return operation.response ? [{ operation, origin: "response", latency: operation.response }, service] : [service];
  });
  const share = (r: Origin): number | null => (whole > 0 && r.origin === "service" ? (r.latency.sum_ms / whole) * 100 : null);
  const latency = (head: string, pick: (l: Latency) => number, least = 1): { head: string; value: (r: Origin) => number | null; decimals: number } => ({
    head: `${head}, ms`,
    // Beyond a percentile of fewer values there is not one: it would be another name of the maximum.
    value: (r) => (r.operation.count >= least ? pick(r.latency) : null),
    decimals: 3,
  });
  return table<Origin>({
    caption: t("operations"),
    lines: [t("operations_note")],
    rows,
    columns: [
      { head: t("operation"), value: (r) => r.operation.name, show: (r) => h("code", {}, r.operation.name) },
      { head: t("origin_of_latency"), value: (r) => t(r.origin) },
      { head: t("count"), value: (r) => r.operation.count },
      { head: t("per_transaction"), value: (r) => r.operation.per_transaction, decimals: 2 },
      { head: `${t("share_of_time")}, %`, value: share, decimals: 1 },
      latency(t("min"), (l) => l.min_ms),
      latency(t("avg"), (l) => l.avg_ms),
      latency("p50", (l) => l.p50_ms),
      latency("p95", (l) => l.p95_ms, 20),
      latency("p99", (l) => l.p99_ms, 100),
      latency("p99.9", (l) => l.p999_ms, 1_000),
      latency("p99.99", (l) => l.p9999_ms, 10_000),
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
  return h("p", {}, traffic, " ", t("tls_use", { version, cipher, handshakes: fixed(tls.handshakes, 0), resumed: fixed(tls.resumed, 0) }));
}

function trials(view: View, cell: Cell): HTMLElement {
  return table<Trial>({
    caption: t("trials"),
    rows: cell.trials,
    columns: [
      { head: t("run"), value: (r) => r.repeat },
      { head: t("outcome"), value: (r) => t(r.outcome ?? "missing") },
      { head: t("transactions"), value: (r) => (r.outcome === null ? null : r.transactions) },
      { head: t("transactions_per_s"), value: (r) => (r.measured_s > 0 ? r.transactions / r.measured_s : null), decimals: 1 },
      { head: "p95, ms", value: (r) => r.response?.p95_ms ?? null, decimals: 2 },
      { head: "p99, ms", value: (r) => r.response?.p99_ms ?? null, decimals: 2 },
      { head: t("measured_s"), value: (r) => r.measured_s, decimals: 2 },
      { head: t("connect_s"), value: (r) => r.connect_s, decimals: 3 },
      { head: t("errors_count"), value: (r) => (r.errors_unknown ? null : r.errors_forgiven) },
      { head: t("reconnects"), value: (r) => r.reconnects },
      { head: t("data_restored"), value: (r) => t(r.data_restored ? "yes" : "no") },
      { head: t("started"), value: (r) => r.started_at?.slice(11, 19) ?? NOTHING },
      { head: t("run_id"), value: (r) => `${view.runs[r.run]?.id ?? ""} #${fixed(r.index, 0)}`, show: (r) => h("code", {}, `${view.runs[r.run]?.id ?? ""} #${r.index}`) },
    ],
  });
}
