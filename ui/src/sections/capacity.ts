// The search for a capacity: what must hold against the rate, and a table of the rates that were tried.

import { capacityOption, type Shown } from "../charts/capacity";
import { type Child, h } from "../dom";
import { decimalsOfAll } from "../format";
import { joined, say, t } from "../i18n";
import { table, type Column } from "../table";
import type { Capacity, RateTried, View } from "../view";
import { figure, note, section } from "./section";

/** The capacities of a view by workload and number of clients: they stand in one chart. */
function groups(view: View): Capacity[][] {
  const all = new Map<string, Capacity[]>();
  for (const one of view.capacities ?? []) {
    const key = `${one.workload}\n${one.threads}`;
    all.set(key, [...(all.get(key) ?? []), one]);
  }
  return [...all.values()];
}

/** A chart for each condition; for none of them the response time. */
export function capacityFrames(view: View, height: number | "fill"): HTMLElement[] {
  return groups(view).flatMap((group, g) => {
    const conditions = group[0]?.conditions ?? [];
    const shown: Shown[] = conditions.length === 0 ? ["p95"] : conditions.map((_, i) => i);
    return shown.map((one) => {
      const condition = one === "p95" ? undefined : conditions[one];
      const what = condition ? say(condition.label) : t("p95");
      const title = `${group[0]?.workload ?? ""} · ${what}`;
      return figure(title, {
        id: `capacity-${g}-${one}`,
        label: t("labelled", { label: title, text: say(view.answer) }),
        height_px: height,
        option: (width, height) => capacityOption(view, group, one, width, height),
      });
    });
  });
}

export function capacity(view: View): HTMLElement | null {
  const all = view.capacities ?? [];
  if (all.length === 0) return null;
  const parts = all.flatMap((one): Child[] => [
    all.length > 1 && h("h3", {}, `${one.target} · ${one.workload}`),
    h("p", {}, t("sentence", { text: say(one.evidence) })),
    tried(one),
  ]);
  return section("capacity", t("capacity"), note(t("capacity-note")), ...parts);
}

function tried(capacity: Capacity): HTMLElement {
  const columns: Column<RateTried>[] = [
    {
      head: t("offered-column"),
      value: (r) => r.per_s,
      decimals: decimals(capacity, (r) => r.per_s),
    },
    {
      head: t("done-column"),
      value: (r) => r.done_per_s,
      decimals: decimals(capacity, (r) => r.done_per_s),
    },
    {
      head: t("held-column"),
      value: (r) => (r.trials === 0 ? null : r.held / r.trials),
      show: (r) => t("held-of", { held: r.held, trials: r.trials }),
    },
    { head: t("verdict"), value: (r) => t("rate-standing", { standing: r.standing }) },
    {
      head: t("in-ms", { what: "p95" }),
      value: (r) => r.p95_ms,
      decimals: decimals(capacity, (r) => r.p95_ms),
    },
    ...capacity.conditions.map((condition, i): Column<RateTried> => ({
      head: t("with-unit", { what: condition.text, unit: condition.unit }),
      value: (r) => r.values[i] ?? null,
      decimals: decimals(capacity, (r) => r.values[i] ?? null),
    })),
    {
      head: t("missed-column"),
      value: (r) => joined("join-list", r.missed.map(say)) || null,
    },
  ];
  return table({
    caption: `${capacity.target} · ${capacity.workload}`,
    columns,
    rows: capacity.rates,
  });
}

function decimals(capacity: Capacity, of: (rate: RateTried) => number | null): number {
  return decimalsOfAll(capacity.rates.map((rate) => of(rate) ?? 0));
}
