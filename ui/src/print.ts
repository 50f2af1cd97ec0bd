// The page on paper. A class gives it the layout of A4 before the printer asks for it, so that charts and tables can be fitted.

import { fitAll } from "./charts/base";

/** Charts as wide as paper, and tables that are wider made smaller. */
export function beforePrint(): void {
  document.documentElement.classList.add("printing");
  fitAll();
  for (const region of document.querySelectorAll<HTMLElement>(".scroll")) {
    const whole = region.querySelector<HTMLElement>("table");
    if (whole && region.clientWidth > 0 && whole.offsetWidth > region.clientWidth)
      whole.style.zoom = String(region.clientWidth / whole.offsetWidth);
  }
}

/** The page of the screen again. */
export function afterPrint(): void {
  document.documentElement.classList.remove("printing");
  for (const whole of document.querySelectorAll<HTMLElement>(".scroll > table"))
    whole.style.removeProperty("zoom");
  fitAll();
}
