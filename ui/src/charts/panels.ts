// Which lines of a run share an axis: only those of one unit, and of counted events only those of one order of size.

import { t, say, type Plain } from "../i18n";
import { unitName } from "../format";
import type { Observed, Panel, TargetView, Trial } from "../view";
import { niceMax } from "./axis";

export interface PanelLine {
  id: string;
  /** Empty where the title of the panel says it all. */
  label: string;
  values: (number | null)[];
}

export interface TimePanel {
  /** Which: part of the chart's name. */
  key: string;
  title: string;
  unit: string;
  at_s: number[];
  lines: PanelLine[];
  /** End of the value axis. */
  max: number;
  /** Drawn in the colour of the target throughout: it is the load. */
  load: boolean;
}

/** From the load down to the disks. */
const ORDER: Panel[] = [
  "cpu",
  "state",
  "disk",
  "server",
  "pages",
  "replication",
  "queues",
  "applied",
  "round_trip",
];

const TITLES: Record<Panel, Plain> = {
  cpu: "panel-cpu",
  disk: "panel-disk",
  server: "panel-server",
  state: "panel-state",
  pages: "panel-pages",
  replication: "panel-lag",
  queues: "panel-queues",
  applied: "panel-applied",
  round_trip: "panel-round-trip",
};

/** Panels of one line, by their unit: the title names the line already. */
const OF_ONE_LINE: Record<string, Plain> = {
  "pages ": "panel-history",
  "replication s": "panel-lag",
  "queues MiB": "panel-relay-log",
  "queues rows": "panel-certification",
  "applied ms": "panel-acknowledgement",
  "applied %": "panel-flow-control",
  "round_trip ms": "panel-round-trip",
};

/** Lines that stay below such a share of the greatest would lie on the axis. */
const LEAST_SHARE = 1 / 20;

/** What was seen of server and machine in a run; nothing of a run that was not watched. */
export function observedPanels(observed: Observed | undefined): TimePanel[] {
  if (!observed) return [];
  return ORDER.flatMap((name) => {
    const own = observed.series.filter((s) => s.panel === name);
    const units = [...new Set(own.map((s) => s.unit))];
    const axes = units.flatMap((unit) => {
      const lines = own
        .filter((s) => s.unit === unit)
        .map(({ id, label, values }) => ({ id, label: say(label), values }));
      return (name === "server" ? bySize(lines) : [lines]).map((group, i) => ({
        unit,
        lines: group,
        rarer: i > 0,
      }));
    });
    return axes.map(({ unit, lines, rarer }, i): TimePanel => ({
      key: i === 0 ? name : `${name}-${i + 1}`,
      title: t(titleOf(name, unit, rarer)),
      unit: unitOf(name, unit),
      at_s: observed.at_s,
      lines: isTitled(name, unit) ? lines.map((line) => ({ ...line, label: "" })) : lines,
      max: name === "cpu" ? Math.max(100, greatestMax(lines)) : greatestMax(lines),
      load: false,
    }));
  });
}

/** What was seen of the other servers of a topology: of each the panels that are about it and not about the machine. */
export function memberPanels(target: TargetView | undefined, trial: Trial): TimePanel[] {
  return (trial.others ?? []).flatMap((observed, i) => {
    const name = target?.members?.[i + 1]?.name ?? "";
    return observedPanels(observed).map((panel) => ({
      ...panel,
      key: `${panel.key}-of-${i + 2}`,
      title: t("of-server", { what: panel.title, server: name }),
    }));
  });
}

/** The load of the same run, to stand above them. */
export function loadPanels({ series }: Trial): TimePanel[] {
  const panel = (
    key: string,
    title: Plain,
    unit: Plain,
    values: (number | null)[],
  ): TimePanel[] => {
    const lines = [{ id: key, label: "", values }];
    return [
      {
        key,
        title: t(title),
        unit: t(unit),
        at_s: series.end_s,
        lines,
        max: greatestMax(lines),
        load: true,
      },
    ];
  };
  return [
    ...panel("load", "throughput", "transactions-per-s", series.throughput_per_s),
    ...panel("response", "p95", "ms", series.response_p95_ms),
  ];
}

/** Whether the values are means since the one before; else they are readings of a moment. */
export function areMeans({ key }: Pick<TimePanel, "key">): boolean {
  return !/^(state|pages|replication|queues|round_trip)/.test(key);
}

/** Lines that can be read on one axis: the greatest and those not far below it, then the others. */
export function bySize(lines: PanelLine[]): PanelLine[][] {
  const limit = Math.max(0, ...lines.map(greatest)) * LEAST_SHARE;
  const groups = [
    lines.filter((line) => greatest(line) >= limit),
    lines.filter((line) => greatest(line) < limit),
  ];
  return groups.filter((group) => group.length > 0);
}

function greatest(line: PanelLine): number {
  return line.values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function greatestMax(lines: PanelLine[]): number {
  return niceMax(Math.max(0, ...lines.map(greatest)));
}

/** Whether the title names the line already. */
function isTitled(name: Panel, unit: string): boolean {
  return `${name} ${unit}` in OF_ONE_LINE;
}

function titleOf(name: Panel, unit: string, rarer: boolean): Plain {
  return rarer ? "panel-rarer" : (OF_ONE_LINE[`${name} ${unit}`] ?? TITLES[name]);
}

function unitOf(name: Panel, unit: string): string {
  if (unit === "/s") return t("per-s");
  if (unit === "ms") return t("ms");
  if (unit === "%") return t(name === "cpu" ? "percent-of-cpus" : "percent-of-time");
  if (unit === "" && name === "queues") return t("transactions");
  if (unit === "rows") return "";
  return unit === "" && name === "state" ? t("threads") : unitName(unit);
}

/** Title and unit, as they stand above a panel. */
export function captionOf({ title, unit }: TimePanel): string {
  return unit === "" ? title : t("with-unit", { what: title, unit });
}

/** Place in a column of the reading nearest to a second. */
export function nearest(at_s: number[], second: number): number {
  return at_s.reduce(
    (best, s, i) => (Math.abs(s - second) < Math.abs((at_s[best] ?? Infinity) - second) ? i : best),
    0,
  );
}

/**
 * Slots of the palette for so many lines: the first has the target's, the others those that are no target's, so that a
 * colour never seems to be another server.
 */
export function slots(target: number, targets: number, lines: number, palette: number): number[] {
  const free = Array.from({ length: palette }, (_, i) => i).filter(
    (i) => i >= Math.min(targets, palette),
  );
  const rest =
    free.length > 0
      ? free
      : Array.from({ length: palette }, (_, i) => i).filter((i) => i !== target % palette);
  return Array.from({ length: lines }, (_, i) =>
    i === 0 ? target % palette : (rest[(i - 1) % rest.length] ?? 0),
  );
}
