// TPC-C: the table by type of transaction, and tpmC against terminals.

import { h } from "../dom";
import { ends, fixed, NOTHING } from "../format";
import { say, t } from "../i18n";
import { table } from "../table";
import type { Cell, Percentiles, TpccSummary, TypeSummary, View } from "../view";
import { section } from "./section";

function consistency(tpcc: TpccSummary): string {
  return tpcc.consistency === null
    ? t("not_checked")
    : `${tpcc.consistency.holding} / ${tpcc.consistency.checked}`;
}

/** Every type of transaction of a cell, with what the standard asks of it. */
export function tpccTypes(tpcc: TpccSummary): HTMLElement {
  const types = table<TypeSummary>({
    caption: t("tpcc"),
    lines: [
      `tpmC ${fixed(tpcc.tpmc?.mean ?? 0, 0)}, tpmTotal ${fixed(tpcc.tpm_total?.mean ?? 0, 0)}`,
      `${t("tpcc_consistency")}${t("colon")}${consistency(tpcc)}${t("clause_gap")}${t("home_warehouses")}${t("colon")}${tpcc.warehouses_touched} / ${tpcc.warehouses}`,
      tpcc.deviations.map(say).join(t("clause_gap")),
    ],
    rows: tpcc.types,
    columns: [
      { head: t("tpcc_type"), value: (r) => r.title },
      { head: t("count"), value: (r) => r.count },
      { head: t("per_minute"), value: (r) => r.per_minute, decimals: 0 },
      { head: `${t("mix")}, %`, value: (r) => r.mix_pct, decimals: 1 },
      { head: "p90, ms", value: (r) => r.response.p90_ms, decimals: 1 },
      {
        head: t("limit"),
        value: (r) => `${r.limit_s} s ${t(r.limit_kept ? "limit_kept" : "limit_exceeded")}`,
      },
      { head: t("retries"), value: (r) => r.retries },
      { head: t("rollbacks"), value: (r) => r.rollbacks },
      { head: t("errors_count"), value: (r) => r.errors },
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
    head: `${head}, ms`,
    value: pick,
    decimals: 1,
  });
  return table<Row>({
    caption: t("tpcc_latency"),
    lines: [t(one ? "response_is_service" : "tpcc_latency_note")],
    rows,
    columns: [
      { head: t("tpcc_type"), value: (r) => r.title },
      ...(one ? [] : [{ head: t("latency_of"), value: (r: Row) => t(r.origin) }]),
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
    t("tpmc_against"),
    table<Cell>({
      caption: t("tpmc_against"),
      captionHidden: true,
      rows,
      columns: [
        { head: t("tpcc_terminals"), value: (c) => c.threads },
        { head: t("target"), value: (c) => view.targets[c.target]?.label ?? NOTHING },
        { head: "tpmC", value: (c) => of(c)?.tpmc?.mean ?? null, decimals: 0 },
        {
          head: t("interval"),
          value: (c) => (c.tpcc?.tpmc ? ends(c.tpcc.tpmc) || t("single_run") : null),
        },
        { head: "tpmTotal", value: (c) => of(c)?.tpm_total?.mean ?? null, decimals: 0 },
        {
          head: "New-Order p90, ms",
          value: (c) => newOrder(c)?.response.p90_ms ?? null,
          decimals: 1,
        },
        {
          head: t("retries"),
          value: (c) => of(c)?.types.reduce((sum, row) => sum + row.retries, 0) ?? null,
        },
        { head: t("rollbacks"), value: (c) => newOrder(c)?.rollbacks ?? null },
        { head: t("tpcc_consistency"), value: (c) => (c.tpcc ? consistency(c.tpcc) : NOTHING) },
      ],
    }),
  );
}
