// The frame of a section: an anchor, a heading, a note.

import { type Child, h } from "../dom";

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

export function note(text: string): HTMLElement {
  return h("p", { class: "note" }, text);
}
