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

/** A `details` whose content is made when it is first opened. */
export function lazyDetails(summary: Child[], attributes: Record<string, Attribute>, content: () => Child[]): HTMLDetailsElement {
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
