// The frame of a section: an anchor, a heading with a link to itself, a note; and of a figure: a caption, ways to save it, the chart.

import { chart, type ChartSpec } from "../charts/base";
import { saveButtons } from "../charts/save";
import { type Child, h } from "../dom";
import { t } from "../i18n";

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    heading("h2", id, title),
    ...children,
  );
}

/** A heading with a link to its place beside it. */
export function heading(
  level: "h2" | "h3",
  place: string,
  title: string,
  ...before: Child[]
): HTMLElement {
  const id = level === "h2" ? `${place}-title` : place;
  const link = h(
    "a",
    {
      class: "anchor no-print",
      href: `#${encodeURIComponent(place)}`,
      "aria-label": t("link-to", { title }),
    },
    "#",
  );
  return h("div", { class: `heading ${level}` }, h(level, { id }, ...before, title), link);
}

export function note(text: string): HTMLElement {
  return h("p", { class: "note" }, text);
}

/** A chart under its caption. */
export function figure(title: string, spec: ChartSpec, ...after: Child[]): HTMLElement {
  const drawn = chart(spec);
  return h(
    "figure",
    {},
    h("figcaption", {}, h("span", { class: "of" }, title), saveButtons(drawn, title)),
    drawn,
    ...after,
  );
}
