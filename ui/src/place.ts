// The address bar keeps the place: a cell's name in the hash opens that cell and goes to it.

/** Id of the element of a cell. */
export function cellAnchor(cell: string): string {
  return `cell-${cell}`;
}

/** Goes to a cell and says so in the address. */
export function gotoCell(cell: string): void {
  const hash = `#${encodeURIComponent(cellAnchor(cell))}`;
  if (location.hash === hash) gotoHash();
  else location.hash = hash;
}

/** Opens and shows what the address names. */
export function gotoHash(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const element = id === "" ? null : document.getElementById(id);
  if (!element) return;
  if (element instanceof HTMLDetailsElement) element.open = true;
  element.scrollIntoView({ block: "start" });
  element.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
}

/** Remembers a place without going there. */
export function keepPlace(id: string): void {
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
}
