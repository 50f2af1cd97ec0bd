// Cells as points over the number of clients: their estimate of a metric, and the values of their repeats.

import type { Cell, EstimateView, Trial, View } from "../view";
import { log2 } from "./axis";

export type Metric = "throughput_per_s" | "tpmc" | "response_p95_ms" | "response_p99_ms";

/** A cell's place in the chart. */
export interface Point {
  cell: Cell;
  x: number;
  estimate: EstimateView | null;
  /** What each repeat gave, where its recording says so. */
  repeats: { repeat: number; value: number }[];
}

/** Up to so many repeats are shown one by one: a band over fewer is mostly the width of the t distribution. */
export const DOTS_MOST = 5;

/** New-Order transactions per minute: as mydyno counted them, or as another tool reported them. */
export function tpmcOf(cell: Cell): EstimateView | null {
  return cell.tpcc?.tpmc ?? cell.tpmc ?? null;
}

/** A percentile is that of all response times together, as in the tables; its interval is over the repeats. */
export function estimateOf(cell: Cell, metric: Metric): EstimateView | null {
  if (metric === "tpmc") return tpmcOf(cell);
  const estimate = cell[metric];
  if (estimate === null || metric === "throughput_per_s") return estimate;
  return { ...estimate, mean: pooled(cell, metric) ?? estimate.mean };
}

/** Whether a repeat counts: it completed and was not set aside. */
export function counts(trial: Trial): boolean {
  return trial.outcome === "completed" && (trial.set_aside ?? []).length === 0;
}

const VALUES: Record<Metric, (trial: Trial) => number | null> = {
  throughput_per_s: (trial) =>
    trial.measured_s > 0 && trial.transactions > 0 ? trial.transactions / trial.measured_s : null,
  tpmc: (trial) => trial.tpmc ?? null,
  response_p95_ms: (trial) => trial.response?.p95_ms ?? null,
  response_p99_ms: (trial) => trial.response?.p99_ms ?? null,
};

export function pointsOf(cells: Cell[], target: number, metric: Metric): Point[] {
  const own = cells.filter((c) => c.target === target).sort((a, b) => a.threads - b.threads);
  return own.map((cell): Point => {
    const repeats = cell.trials.filter(counts).flatMap((trial) => {
      const value = VALUES[metric](trial);
      return value === null ? [] : [{ repeat: trial.repeat, value }];
    });
    return { cell, x: log2(cell.threads), estimate: estimateOf(cell, metric), repeats };
  });
}

/** Whether the repeats are shown as dots: there are few, and their values are known. */
export function areDots(points: Point[]): boolean {
  const measured = points.filter((point) => (point.estimate?.n ?? 0) > 1);
  return (
    measured.length > 0 &&
    measured.every((point) => (point.estimate?.n ?? 0) <= DOTS_MOST && point.repeats.length > 0)
  );
}

/** The metric that a workload is compared by: TPC-C's is its New-Order transactions per minute. */
export function primaryMetric(view: View, workload: number): Metric {
  const own = view.cells.filter((c) => c.workload === workload && c.throughput_per_s !== null);
  return own.length > 0 && own.every((c) => tpmcOf(c) !== null) ? "tpmc" : "throughput_per_s";
}

/** A percentile over all response times of a cell together; where its recording has none, the mean of the repeats. */
export function pooled(cell: Cell, metric: "response_p95_ms" | "response_p99_ms"): number | null {
  const transaction = cell.operations.find(
    (operation) => operation.kind === "transaction",
  )?.response;
  const known =
    metric === "response_p95_ms"
      ? (cell.totals?.response_p95_ms ?? transaction?.p95_ms)
      : transaction?.p99_ms;
  return known ?? cell[metric]?.mean ?? null;
}
