// What to keep in mind: every reason behind the line under the chart.

import { h } from "../dom";
import { say, t } from "../i18n";
import type { View } from "../view";
import { note, section } from "./section";

export function caveats(view: View): HTMLElement {
  const { reasons } = view.trust;
  if (reasons.length === 0) return section("caveats", t("caveats"), note(t("caveats_none")));
  const items = reasons.map((reason) => h("li", { class: `trust ${reason.level}` }, say(reason.text)));
  return section("caveats", t("caveats"), h("ul", { class: "plain" }, ...items));
}
