// What the generator itself cost: it is a suspect in every measurement.

import { bytes, percent } from "../format";
import { t } from "../i18n";
import { table } from "../table";
import type { Cell, View } from "../view";
import { note, section } from "./section";

export function generator(view: View): HTMLElement | null {
  const rows = view.cells.filter((c) => c.generator !== null);
  if (rows.length === 0) return null;
  const made = table<Cell>({
    caption: t("generator"),
    captionHidden: true,
    rows,
    columns: [
      { head: t("target"), value: (c) => view.targets[c.target]?.label ?? null },
      { head: t("clients"), value: (c) => c.threads },
      {
        head: t("cpu-per-statement"),
        value: (c) => c.generator?.cpu_us_per_query ?? null,
        decimals: 2,
      },
      {
        head: t("user-share"),
        value: (c) => c.generator?.user_share ?? null,
        show: (c) => percent(c.generator?.user_share),
      },
      {
        head: t("host-share"),
        value: (c) => c.generator?.host_share ?? null,
        show: (c) => percent(c.generator?.host_share),
      },
      {
        head: t("busiest-worker"),
        value: (c) => c.generator?.busiest_worker ?? null,
        show: (c) => percent(c.generator?.busiest_worker),
      },
      { head: t("workers"), value: (c) => c.generator?.workers ?? null },
      {
        head: t("cpu-wait-s"),
        value: (c) => c.generator?.run_queue_wait_s ?? null,
        decimals: 3,
      },
      {
        head: t("memory-peak"),
        value: (c) => c.generator?.memory_peak_bytes ?? null,
        show: (c) => bytes(c.generator?.memory_peak_bytes ?? 0),
      },
    ],
  });
  return section("generator", t("generator"), note(t("generator-note")), made);
}
