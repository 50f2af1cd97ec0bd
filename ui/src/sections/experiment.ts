// What an experiment adds to a report: what others found, what would change the answer, and how it was made.

import { type Child, h, lazyDetails } from "../dom";
import { fixed } from "../format";
import { joined, say, t } from "../i18n";
import { table } from "../table";
import type { EstimateView, Interaction, View } from "../view";
import { command } from "./command";
import { note, section } from "./section";
import { inLanguage } from "./translated";

/** Nothing of a report that answers no experiment. */
export function others(view: View): HTMLElement | null {
  const published = view.about?.published;
  return published === undefined || published === null
    ? null
    : section(
        "others",
        t("others"),
        h("p", { class: "prose" }, ...inLanguage(published, view.about?.published_zh)),
      );
}

export function doubts(view: View): HTMLElement | null {
  const found = view.doubts ?? [];
  if (found.length === 0) return null;
  return section(
    "doubts",
    t("doubts"),
    h("ul", { class: "points" }, ...found.map(({ text }) => h("li", {}, say(text)))),
  );
}

export function method(view: View): HTMLElement | null {
  if (!view.method) return null;
  const { arms, says } = view.method;
  const rows = arms.map(
    ({ target, differs }) => [view.targets[target]?.label ?? "", differs] as const,
  );
  const commands = view.runs.map((run) =>
    h("p", {}, h("span", { class: "lead" }, t("command")), " ", command(run.command)),
  );
  return section(
    "method",
    t("method"),
    h(
      "dl",
      { class: "arms" },
      ...rows.flatMap(([label, differs]) => [
        h("dt", {}, label),
        h("dd", {}, h("code", {}, differs.join(" ") || t("arm-same"))),
      ]),
    ),
    h("ul", { class: "points" }, ...says.map((words) => h("li", {}, say(words)))),
    ...commands,
  );
}

/** Whether what an arm does depends on the workload or on another factor: in words where it does, and every point as a table. */
export function interactions(view: View): HTMLElement | null {
  const { points, says } = view.interactions ?? { points: [], says: [] };
  if (points.length === 0) return null;
  const sentences =
    says.length > 0
      ? says.map((words) => h("li", {}, t("sentence", { text: say(words) })))
      : [h("li", {}, t("interactions-none"))];
  return section(
    "interactions",
    t("interactions"),
    note(t("interactions-note")),
    h("ul", { class: "points" }, ...sentences),
    twin(points),
  );
}

/** Between what an effect is compared: workloads, or levels of a factor. */
function condition({ workload, factor, first, second }: Interaction): string {
  const levels = joined("join-list", [first, second]);
  const varied = factor ? t("labelled", { label: factor, text: levels }) : levels;
  return [workload, varied].filter(Boolean).join(" · ");
}

function twin(points: Interaction[]): HTMLElement {
  const estimate = ({ mean, low, high }: EstimateView): Child =>
    `${fixed(mean, 3)} [${fixed(low, 3)}, ${fixed(high, 3)}]`;
  const shown = (head: string, pick: (p: Interaction) => EstimateView) => ({
    head,
    value: (p: Interaction) => pick(p).mean,
    show: (p: Interaction) => estimate(pick(p)),
  });
  return lazyDetails(
    [t("interactions-points", { count: points.length })],
    { class: "twin" },
    () => [
      table<Interaction>({
        caption: t("interactions"),
        rows: points,
        columns: [
          {
            head: t("arm"),
            value: (p) => p.arm,
            show: (p) => t("arm-against", { arm: p.arm, base: p.base }),
          },
          { head: t("clients"), value: (p) => p.threads },
          {
            head: t("condition"),
            value: condition,
          },
          shown(t("effect-first"), (p) => p.effect_first),
          shown(t("effect-second"), (p) => p.effect_second),
          shown(t("ratio"), (p) => p.ratio),
          { head: t("p-adjusted"), value: (p) => p.p_adjusted, decimals: 4 },
          { head: t("effects-differ"), value: (p) => t(p.differs ? "yes" : "no") },
        ],
      }),
    ],
  );
}
