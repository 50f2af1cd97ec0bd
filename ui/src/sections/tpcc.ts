// TPC-C: the table by type of transaction, and tpmC against terminals.

import { h } from "../dom";
import { ends, fixed, NOTHING } from "../format";
import { joined, say, t } from "../i18n";
import { table } from "../table";
import type { Cell, Percentiles, TpccSummary, TypeSummary, View } from "../view";
import { section } from "./section";

function consistency(tpcc: TpccSummary): string {
  return tpcc.consistency === null
    ? t("not-checked")
    : `${tpcc.consistency.holding} / ${tpcc.consistency.checked}`;
}

/** Every type of transaction of a cell, with what the standard asks of it. */
export function tpccTypes(tpcc: TpccSummary): HTMLElement {
  const types = table<TypeSummary>({
    caption: t("tpcc"),
    lines: [
      `tpmC ${fixed(tpcc.tpmc?.mean ?? 0, 0)}, tpmTotal ${fixed(tpcc.tpm_total?.mean ?? 0, 0)}`,
      t("consistency-line", {
        met: consistency(tpcc),
        used: tpcc.warehouses_touched,
        warehouses: tpcc.warehouses,
      }),
      joined("join-clauses", tpcc.deviations.map(say)),
    ],
    rows: tpcc.types,
    columns: [
      { head: t("type"), value: (r) => r.title },
      { head: t("count"), value: (r) => r.count },
      { head: t("per-minute"), value: (r) => r.per_minute, decimals: 0 },
      { head: t("in-percent", { what: t("mix") }), value: (r) => r.mix_pct, decimals: 1 },
      { head: t("in-ms", { what: "p90" }), value: (r) => r.response.p90_ms, decimals: 1 },
      {
        head: t("limit"),
        value: (r) => t("limit-is", { seconds: r.limit_s, met: r.limit_kept ? "yes" : "no" }),
      },
      { head: t("retries"), value: (r) => r.retries },
      { head: t("rollbacks"), value: (r) => r.rollbacks },
      { head: t("errors-count"), value: (r) => r.errors },
    ],
  });
  return h("div", {}, types, latencies(tpcc));
}

/** Response and service time of every type. */
function latencies(tpcc: TpccSummary): HTMLElement {
  interface Row extends Percentiles {
    title: string;
    origin: "response" | "service";
  }
  const rows = tpcc.types.flatMap((type): Row[] => {
    // In a closed loop a transaction is due when it is sent: both times are one.
    const origins = isEqual(type.response, type.service)
      ? (["response"] as const)
      : (["response", "service"] as const);
    return origins.map((origin) => ({ title: type.title, origin, ...type[origin] }));
  });
  const one = rows.length === tpcc.types.length;
  const latency = (
    head: string,
    pick: (row: Row) => number,
  ): { head: string; value: (row: Row) => number; decimals: number } => ({
    head: t("in-ms", { what: head }),
    value: pick,
    decimals: 1,
  });
  return table<Row>({
    caption: t("tpcc-latency"),
    lines: [t(one ? "times-equal" : "tpcc-times-note")],
    rows,
    columns: [
      { head: t("type"), value: (r) => r.title },
      ...(one
        ? []
        : [
            {
              head: t("time-kind"),
              value: (r: Row) => t(r.origin === "response" ? "response-time" : "service-time"),
            },
          ]),
      latency("p50", (r) => r.p50_ms),
      latency("p90", (r) => r.p90_ms),
      latency("p95", (r) => r.p95_ms),
      latency("p99", (r) => r.p99_ms),
      latency(t("maximum"), (r) => r.max_ms),
    ],
  });
}

/** Whether response and service time are the same at every percentile, to a hundredth. */
export function isEqual(response: Percentiles, service: Percentiles): boolean {
  const pairs: [number, number][] = [
    [response.p50_ms, service.p50_ms],
    [response.p95_ms, service.p95_ms],
    [response.p99_ms, service.p99_ms],
    [response.max_ms, service.max_ms],
  ];
  return pairs.every(([a, b]) => Math.abs(a - b) <= 0.01 * Math.max(a, b));
}

/** tpmC of every cell; nothing for other workloads. */
export function tpcc(view: View): HTMLElement | null {
  const rows = view.cells.filter((c) => c.tpcc);
  if (rows.length === 0) return null;
  const of = (cell: Cell): TpccSummary | null | undefined => cell.tpcc;
  const newOrder = (cell: Cell): TypeSummary | undefined =>
    cell.tpcc?.types.find((type) => type.name === "new_order");
  return section(
    "tpcc",
    t("tpmc-by-clients"),
    table<Cell>({
      caption: t("tpmc-by-clients"),
      captionHidden: true,
      rows,
      columns: [
        { head: t("clients"), value: (c) => c.threads },
        { head: t("target"), value: (c) => view.targets[c.target]?.label ?? NOTHING },
        { head: "tpmC", value: (c) => of(c)?.tpmc?.mean ?? null, decimals: 0 },
        {
          head: t("interval"),
          value: (c) => (c.tpcc?.tpmc ? ends(c.tpcc.tpmc) || t("single-trial") : null),
        },
        { head: "tpmTotal", value: (c) => of(c)?.tpm_total?.mean ?? null, decimals: 0 },
        {
          head: t("in-ms", { what: "New-Order p90" }),
          value: (c) => newOrder(c)?.response.p90_ms ?? null,
          decimals: 1,
        },
        {
          head: t("retries"),
          value: (c) => of(c)?.types.reduce((sum, row) => sum + row.retries, 0) ?? null,
        },
        { head: t("rollbacks"), value: (c) => newOrder(c)?.rollbacks ?? null },
        { head: t("consistency"), value: (c) => (c.tpcc ? consistency(c.tpcc) : NOTHING) },
      ],
    }),
  );
}
