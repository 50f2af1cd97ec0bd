// A stretch of the time axis that several charts show together: dragged over with a mouse, or typed.

import { h } from "../dom";

/** Seconds, from and to. */
export type Stretch = [number, number];

export interface Zoom {
  /** Where the whole axis ends. */
  end_s: number;
  /** What is shown; null: all of it. */
  stretch: () => Stretch | null;
  set: (stretch: Stretch | null) => void;
  /** Calls at each change, until the function that it gives is called. */
  watch: (changed: () => void) => () => void;
}

const LEAST_S = 0.2;
const LEAST_PX = 6;

export function zoomOver(end_s: number): Zoom {
  let shown: Stretch | null = null;
  const watchers = new Set<() => void>();
  return {
    end_s,
    stretch: () => shown,
    set: (stretch) => {
      shown = stretch && fitted(stretch, end_s);
      for (const changed of watchers) changed();
    },
    watch: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}

/** A stretch in its order, within the axis, at round seconds; null if it is all of the axis, or nothing. */
export function fitted([a, b]: Stretch, end_s: number): Stretch | null {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null;
  const inside = (s: number): number => Math.min(end_s, Math.max(0, s));
  const [from, to] = [inside(Math.min(a, b)), inside(Math.max(a, b))];
  const per_s = to - from >= 10 ? 1 : 10;
  const round: Stretch = [
    Math.round(from * per_s) / per_s,
    Math.min(end_s, Math.round(to * per_s) / per_s),
  ];
  if (round[1] - round[0] < LEAST_S || (round[0] <= 0 && round[1] >= end_s)) return null;
  return round;
}

/** Lets a mouse draw a stretch over a chart; a double click shows all again. A finger scrolls the page instead. */
export function dragToZoom(
  place: HTMLElement,
  zoom: Zoom,
  secondAt: (x_px: number) => number,
): void {
  const brush = h("div", { class: "brush", hidden: true });
  place.append(brush);
  let from_px: number | null = null;
  const x = (event: PointerEvent): number => event.clientX - place.getBoundingClientRect().left;
  place.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button !== 0) return;
    from_px = x(event);
  });
  place.addEventListener("pointermove", (event) => {
    if (from_px === null || (brush.hidden && Math.abs(x(event) - from_px) < LEAST_PX)) return;
    if (brush.hidden) place.setPointerCapture(event.pointerId);
    brush.hidden = false;
    brush.style.left = `${Math.min(from_px, x(event))}px`;
    brush.style.width = `${Math.abs(x(event) - from_px)}px`;
  });
  place.addEventListener("pointerup", (event) => {
    if (from_px !== null && !brush.hidden) zoom.set([secondAt(from_px), secondAt(x(event))]);
    from_px = null;
    brush.hidden = true;
  });
  place.addEventListener("pointercancel", () => {
    from_px = null;
    brush.hidden = true;
  });
  place.addEventListener("dblclick", () => zoom.set(null));
}
