// Elements without a framework. Text is always set as text: labels and messages come from servers and users.

type Attribute = string | number | boolean | ((event: Event) => void);
export type Child = Node | string | null | undefined | false;

/** An element with attributes (functions become listeners, `true` an empty attribute) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A text with elements in it: where they stand is for the text's language to say. */
export function placed(text: (...slots: string[]) => string, ...elements: Child[]): Child[] {
  // Characters for private use, which no text has.
  const FIRST = 0xe000;
  const slots = elements.map((_, i) => String.fromCharCode(FIRST + i));
  return text(...slots)
    .split(/([\ue000-\ue00f])/)
    .map((piece) => (slots.includes(piece) ? elements[piece.charCodeAt(0) - FIRST] : piece));
}

/** A `details` whose content is made when it is first opened. */
export function lazyDetails(
  summary: Child[],
  attributes: Record<string, Attribute>,
  content: () => Child[],
): HTMLDetailsElement {
  const details = h("details", attributes, h("summary", {}, ...summary));
  let made = false;
  details.addEventListener("toggle", () => {
    if (made || !details.open) return;
    made = true;
    for (const child of content()) if (child) details.append(child);
    details.dispatchEvent(new CustomEvent("made"));
  });
  return details;
}

/** A short piece of a line as it is drawn in a chart, for a legend. */
export function dashed(colour: string, dash: number[]): SVGElement {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  const line = document.createElementNS(name, "line");
  const set = (element: Element, attributes: Record<string, string>): void => {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  };
  set(svg, { class: "dash", width: "28", height: "8", viewBox: "0 0 28 8", "aria-hidden": "true" });
  set(line, {
    x1: "0",
    x2: "28",
    y1: "4",
    y2: "4",
    style: `stroke:${colour};stroke-width:2`,
    "stroke-dasharray": dash.join(" "),
  });
  svg.append(line);
  return svg;
}
