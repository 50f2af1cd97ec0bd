// Load, server and machine of a cell on one time axis: small panels one above the other, zoomed together.

import { lastSecond } from "../charts/axis";
import { chart, disposeIn } from "../charts/base";
import { shownTrials } from "../charts/overtime";
import { type LineStyle, lineStyles, panelHeight, panelOption } from "../charts/panel";
import { saveButtons } from "../charts/save";
import {
  captionOf,
  loadPanels,
  memberPanels,
  nearest,
  observedPanels,
  type TimePanel,
} from "../charts/panels";
import { type Zoom, zoomOver } from "../charts/zoom";
import { type Child, dashed, h, lazyDetails, placed } from "../dom";
import { decimalsOf, figure, fixed } from "../format";
import { joined, say, t } from "../i18n";
import { table } from "../table";
import type { Cell, Observed, Trial, View } from "../view";

function watchedTrials(cell: Cell): Trial[] {
  return shownTrials(cell).filter((trial) => (trial.observed?.series.length ?? 0) > 0);
}

/** What all charts over time of a cell share; none of a cell that was not watched. */
export function sharedZoom(cell: Cell): Zoom | undefined {
  if (watchedTrials(cell).length === 0) return undefined;
  return zoomOver(lastSecond(shownTrials(cell).flatMap((trial) => trial.series.end_s)));
}

/** The charts of all runs, and below them panels of one. */
export function overview(view: View, cell: Cell, zoom: Zoom, load: Child[]): HTMLElement | null {
  const watched = watchedTrials(cell);
  const [first] = watched;
  if (!first) return null;
  const several = shownTrials(cell).length > 1;
  const place = h("div", { class: "panels" });
  const show = (trial: Trial): void => {
    disposeIn(place);
    place.replaceChildren(...panels(view, cell, trial, zoom, several), twin(trial));
  };
  show(first);
  // A single run needs no panels of its load: the charts of all runs are those of this one, and stand right above.
  return h(
    "div",
    { class: "overview" },
    ...(several ? load : []),
    h("h4", {}, t("overview")),
    h(
      "p",
      { class: "note" },
      ...placed(
        (before, next) => t("join-sentences", { before, next }),
        t("overview-note"),
        h("span", { class: "no-print" }, t("zoom-note")),
      ),
    ),
    h(
      "div",
      { class: "controls no-print" },
      watched.length > 1 && runs(watched, show),
      stretch(zoom),
    ),
    several ? null : h("div", { class: "one-column" }, ...load),
    place,
  );
}

/** One run at a time; the first is shown. */
function runs(watched: Trial[], show: (trial: Trial) => void): HTMLElement {
  const buttons = watched.map((trial, i) => {
    const label = t("repeat-n", { n: trial.repeat });
    const button = h(
      "button",
      { type: "button", class: "choice", "aria-pressed": String(i === 0) },
      label,
    );
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show(trial);
    });
    return button;
  });
  return h("div", { class: "choices", role: "group", "aria-label": t("repeat-shown") }, ...buttons);
}

/** The stretch that is shown, for those who type it; and all of it again. */
function stretch(zoom: Zoom): HTMLElement {
  const input = (name: string): HTMLInputElement =>
    h("input", {
      type: "number",
      min: 0,
      max: zoom.end_s,
      step: 0.1,
      "aria-label": name,
      change: () => typed(),
    });
  const [from, to] = [input(t("zoom-from")), input(t("zoom-to"))];
  const reset = h("button", { type: "button", class: "choice reset" }, t("zoom-reset"));
  const typed = (): void => zoom.set([from.valueAsNumber, to.valueAsNumber]);
  const follow = (): void => {
    const [a, b] = zoom.stretch() ?? [0, zoom.end_s];
    [from.value, to.value] = [String(a), String(Number(b.toFixed(1)))];
    reset.hidden = zoom.stretch() === null;
  };
  reset.addEventListener("click", () => {
    zoom.set(null);
    from.focus();
  });
  zoom.watch(follow);
  follow();
  return h(
    "div",
    { class: "stretch" },
    h("span", {}, t("zoom-seconds")),
    from,
    h("span", { "aria-hidden": "true" }, "–"),
    to,
    reset,
  );
}

function panels(
  view: View,
  cell: Cell,
  trial: Trial,
  zoom: Zoom,
  withLoad: boolean,
): HTMLElement[] {
  const all = [
    ...(withLoad ? loadPanels(trial) : []),
    ...observedPanels(trial.observed),
    ...memberPanels(view.targets[cell.target], trial),
  ];
  return all.map((panel, i) => {
    const place = {
      trial,
      target: cell.target,
      targets: view.targets.length,
      end_s: zoom.end_s,
      first: i === 0,
      last: i === all.length - 1,
    };
    const caption = captionOf(panel);
    const { element, follow } = legend(panel, lineStyles(panel, cell.target, view.targets.length));
    const drawn = chart({
      id: `panel-${panel.key}-${cell.id}`,
      label: joined("join-phrases", [
        t("in-repeat", { text: caption, n: trial.repeat }),
        t("clients-count", { count: cell.threads }),
      ]),
      height_px: panelHeight(place.last),
      group: `time-${cell.id}`,
      zoom,
      onPointer: follow,
      option: () => panelOption(panel, place),
    });
    return h(
      "figure",
      { class: "panel" },
      h("figcaption", {}, h("span", {}, caption), element, saveButtons(drawn, caption)),
      drawn,
    );
  });
}

/** What the lines are; where the pointer is, also what they show there. */
function legend(
  panel: TimePanel,
  looks: LineStyle[],
): { element: HTMLElement; follow: (second: number | null) => void } {
  const figures = panel.lines.map(() => h("span", { class: "at" }));
  const items = panel.lines.map((line, i) => {
    const look = looks[i];
    const named = line.label !== "" && look !== undefined;
    return h(
      "span",
      { class: "item" },
      named && dashed(look.colour, look.dash),
      named && line.label,
      " ",
      figures[i],
    );
  });
  const second = h("span", { class: "second" });
  const follow = (at: number | null): void => {
    const i = nearest(panel.at_s, at ?? 0);
    panel.lines.forEach((line, l) =>
      figures[l]?.replaceChildren(at === null ? "" : figure(line.values[i])),
    );
    second.replaceChildren(at === null ? "" : t("at-second", { second: fixed(panel.at_s[i], 1) }));
  };
  return {
    element: h("span", { class: "legend", "aria-hidden": "true" }, ...items, second),
    follow,
  };
}

/** The table twin of a run's panels. */
function twin(trial: Trial): HTMLElement {
  const observed: Observed = trial.observed ?? { at_s: [], series: [] };
  const order = observedPanels(observed).flatMap((panel) =>
    panel.lines.map((line) => ({ panel, id: line.id })),
  );
  const columns = order.flatMap(({ panel, id }) => {
    const line = observed.series.find((s) => s.id === id);
    if (!line) return [];
    const decimals = decimalsOf(line.values.map((v) => v ?? 0));
    const head =
      panel.unit === ""
        ? say(line.label)
        : t("with-unit", { what: say(line.label), unit: panel.unit });
    return [{ head, value: (i: number) => line.values[i] ?? null, decimals }];
  });
  return lazyDetails([t("chart-data")], { class: "twin" }, () => [
    table<number>({
      caption: t("in-repeat", { text: t("overview"), n: trial.repeat }),
      rows: observed.at_s.map((_, i) => i),
      columns: [
        { head: t("second"), value: (i) => observed.at_s[i] ?? null, decimals: 1 },
        ...columns,
      ],
    }),
  ]);
}
