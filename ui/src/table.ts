// Tables: decimals aligned, sorted on click, copied as CSV, scrolling inside themselves.

import { type Child, h } from "./dom";
import { csvField, fixed, NOTHING } from "./format";
import { t } from "./i18n";

export type Value = number | string | null;

export interface Column<Row> {
  head: string;
  /** What is sorted and copied. */
  value: (row: Row) => Value;
  /** Decimals of a number; the same for the whole column, so that they align. */
  decimals?: number;
  /** What is shown instead of the plain value. */
  show?: (row: Row) => Child;
  /** Neighbouring columns of one title stand under it, marked by a colour. */
  group?: { title: string; mark: string };
}

export interface TableOptions<Row> {
  caption: string;
  /** For a table whose heading says it all: the caption is only read aloud. */
  captionHidden?: true;
  /** Long values are broken rather than scrolled. */
  wrap?: true;
  /** Under the caption, in small print. */
  lines?: string[];
  columns: Column<Row>[];
  rows: Row[];
  /** So many rows are shown, the others when they are asked for. */
  most?: number;
  /** Text across the row instead of its figures, from the second column on. */
  spanning?: (row: Row) => Child;
}

/** Rows in the order of a column; rows without a value last, whichever way. */
export function sorted<Row>(rows: Row[], value: (row: Row) => Value, direction: 1 | -1): Row[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    if (typeof x === "number" && typeof y === "number") return (x - y) * direction;
    return String(x).localeCompare(String(y), "en", { numeric: true }) * direction;
  });
}

/** A table as CSV, with the figures unrounded. */
export function toCsv<Row>(options: Pick<TableOptions<Row>, "columns" | "rows">): string {
  const line = (fields: string[]): string => fields.map(csvField).join(",");
  const head = line(options.columns.map((c) => (c.group ? `${c.group.title}, ${c.head}` : c.head)));
  const body = options.rows.map((row) =>
    line(options.columns.map((c) => String(c.value(row) ?? ""))),
  );
  return [head, ...body].join("\n") + "\n";
}

/** Puts text on the clipboard, also where a page opened from disk may not use the clipboard API. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "quiet", click: () => void done() }, label);
  const done = async (): Promise<void> => {
    await copy(text());
    button.textContent = t("copied");
    setTimeout(() => (button.textContent = label), 1500);
  };
  return button;
}

export function table<Row>(options: TableOptions<Row>): HTMLElement {
  const { columns } = options;
  const body = h("tbody");
  const isNumber = columns.map((c) => options.rows.some((row) => typeof c.value(row) === "number"));
  let order = options.rows;
  let most = options.most ?? Number.POSITIVE_INFINITY;
  const fill = (rows: Row[]): void => {
    order = rows;
    body.replaceChildren(...rows.slice(0, most).map((row) => bodyRow(row, options, isNumber)));
  };
  const heads = columns.map((column, i) => {
    const button = h("button", { type: "button" }, column.head);
    const begins =
      column.group !== undefined && columns[i - 1]?.group?.title !== column.group.title;
    const th = h(
      "th",
      { scope: "col", class: `${isNumber[i] ? "number" : ""}${begins ? " begins" : ""}`.trim() },
      button,
    );
    button.addEventListener("click", () => {
      const direction = th.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      fill(sorted(options.rows, column.value, direction));
    });
    return th;
  });
  fill(options.rows);
  const caption = h(
    "caption",
    {},
    h("span", { class: options.captionHidden ? "read-aloud" : "caption" }, options.caption),
    " ",
    copyButton(t("copy-csv"), () => toCsv(options)),
    ...(options.lines ?? []).map((line) => h("span", { class: "small" }, line)),
  );
  const whole = h(
    "table",
    options.wrap ? { class: "wrap" } : {},
    caption,
    h("thead", {}, groupRow(columns), h("tr", {}, ...heads)),
    body,
  );
  // A group, not a region: as a landmark it would need a name of its own among hundreds.
  const region = h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": options.caption },
    whole,
  );
  if (options.rows.length <= most) return region;
  const more = h(
    "button",
    { type: "button", class: "quiet" },
    t("show-all", { count: options.rows.length }),
  );
  more.addEventListener("click", () => {
    most = Number.POSITIVE_INFINITY;
    fill(order);
    more.remove();
    region.focus();
  });
  return h("div", { class: "some" }, region, more);
}

/** The row of titles above the columns that share them. */
function groupRow<Row>(columns: Column<Row>[]): HTMLTableRowElement | null {
  if (!columns.some((column) => column.group)) return null;
  const spans: { group: Column<Row>["group"]; count: number }[] = [];
  for (const { group } of columns) {
    const last = spans[spans.length - 1];
    if (last && last.group?.title === group?.title) last.count += 1;
    else spans.push({ group, count: 1 });
  }
  const cells = spans.map(({ group, count }) =>
    group
      ? h(
          "th",
          { scope: "colgroup", colspan: count, class: "group", style: `--mark:${group.mark}` },
          group.title,
        )
      : h("td", { colspan: count }),
  );
  return h("tr", { class: "groups" }, ...cells);
}

function bodyRow<Row>(
  row: Row,
  options: TableOptions<Row>,
  isNumber: boolean[],
): HTMLTableRowElement {
  const across = options.spanning?.(row);
  const cells = options.columns.map((column, i) => {
    const value = column.value(row);
    const plain =
      typeof value === "number" ? fixed(value, column.decimals ?? 0) : (value ?? NOTHING);
    const content = column.show ? column.show(row) : plain;
    const begins =
      column.group !== undefined && options.columns[i - 1]?.group?.title !== column.group.title;
    const attributes = { class: `${isNumber[i] ? "number" : ""}${begins ? " begins" : ""}`.trim() };
    return i === 0
      ? h("th", { ...attributes, scope: "row" }, content)
      : h("td", attributes, content);
  });
  if (!across) return h("tr", {}, ...cells);
  return h(
    "tr",
    { class: "failed" },
    cells[0],
    h("td", { colspan: options.columns.length - 1 }, across),
  );
}
