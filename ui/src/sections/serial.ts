// What limits commits over a simulated link: round trips, CPUs, or a stage that transactions pass one at a time.

import { h } from "../dom";
import { figure, percent } from "../format";
import { t } from "../i18n";
import { type Column, table } from "../table";
import type { Measure, SerialStage, View } from "../view";
import { note, section } from "./section";

export function serial(view: View): HTMLElement | null {
  const all = view.serial_stages ?? [];
  if (all.length === 0) return null;
  const workloads = [...new Set(all.map((one) => one.workload))];
  const parts = workloads.map((workload) =>
    h(
      "div",
      {},
      stages(
        workload,
        all.filter((one) => one.workload === workload),
      ),
    ),
  );
  return section("serial", t("serial"), note(t("serial-note")), ...parts);
}

function shown({ mean, low, high }: Measure): string {
  return low === null || high === null
    ? figure(mean)
    : `${figure(mean)} [${figure(low)}, ${figure(high)}]`;
}

function stages(workload: string, rows: SerialStage[]): HTMLElement {
  const columns: Column<SerialStage>[] = [
    { head: t("target"), value: (one) => one.target },
    {
      head: t("round-trip-ms"),
      value: (one) => one.round_trip_ms,
      show: (one) => figure(one.round_trip_ms),
    },
    { head: t("clients"), value: (one) => one.threads },
    {
      head: t("transactions-per-s"),
      value: (one) => one.per_s.mean,
      show: (one) => shown(one.per_s),
    },
    {
      head: t("serial-bound"),
      value: (one) => one.bound_per_s ?? null,
      show: (one) => (one.bound_per_s == null ? "" : figure(one.bound_per_s)),
    },
    {
      head: t("cpu-used"),
      value: (one) => one.cpu_busy ?? null,
      show: (one) => (one.cpu_busy == null ? "" : percent(one.cpu_busy, 0)),
    },
    {
      head: t("serial-service"),
      value: (one) => one.service_us?.mean ?? null,
      show: (one) => (one.service_us ? shown(one.service_us) : ""),
    },
    { head: t("serial-limit"), value: (one) => t("serial-is", { standing: one.standing }) },
  ];
  return table({ caption: `${t("serial")} · ${workload}`, columns, rows });
}
