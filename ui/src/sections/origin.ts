// How the data were made: enough to do it again.

import { download } from "../charts/save";
import { type Child, h, placed } from "../dom";
import { bytes, fixed, moment, NOTHING } from "../format";
import { joined, say, t } from "../i18n";
import { copyButton } from "../table";
import type { Run, View, WorkloadView } from "../view";
import { command } from "./command";
import { heading, section } from "./section";
import { inLanguage } from "./translated";

export function origin(view: View): HTMLElement {
  return section(
    "origin",
    t("origin"),
    ...view.workloads.map((w) => workload(view, w)),
    ...view.runs.map((r) => run(view, r)),
    raw(view),
  );
}

function list(entries: [string, Child][]): HTMLElement {
  return h(
    "dl",
    {},
    ...entries.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

function workload(view: View, w: WorkloadView): HTMLElement {
  const options = Object.entries(w.options).map(([name, value]) => `--${name}=${value}`);
  const versions = view.targets.map(
    (target) => `${target.label} ${target.server?.version ?? NOTHING}`,
  );
  // Of what another tool measured only a label is known.
  const summary = h("span", {}, ...inLanguage(w.summary, w.summary_zh));
  return h(
    "div",
    { class: "block" },
    heading("h3", `workload-${view.workloads.indexOf(w)}`, w.label),
    list([
      [
        t("workload"),
        h(
          "span",
          {},
          ...(w.name === "imported"
            ? [summary]
            : placed((text) => t("labelled", { label: w.name, text }), summary)),
        ),
      ],
      ...w.facts.map((fact): [string, Child] => [say(fact.name), say(fact.value)]),
      ...(view.targets.some((target) => target.server)
        ? [[t("versions"), joined("join-list", versions)] as [string, Child]]
        : []),
    ]),
    options.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, t("all-options", { count: options.length })),
        h("p", {}, h("code", {}, options.join(" "))),
      ),
  );
}

/** Whole seconds without a fraction. */
function seconds(s: number): string {
  return fixed(s, s % 1 === 0 ? 0 : 1);
}

function run(view: View, r: Run): HTMLElement {
  const { host } = r;
  const loop =
    r.rate_per_s === null ? t("closed-loop") : t("open-loop", { rate: fixed(r.rate_per_s, 0) });
  const dials = [
    ...(r.in_flight === null ? [] : [t("concurrency-limit", { count: r.in_flight })]),
    ...(r.think_s > 0 ? [t("think-time", { seconds: r.think_s })] : []),
  ];
  if (r.imported) {
    const { tool, version, files, notes } = r.imported;
    const rows: [string, Child][] = [
      [t("recorded"), moment(r.started_at)],
      [
        t("imported"),
        joined("join-clauses", [version ? `${tool} ${version}` : tool, joined("join-list", files)]),
      ],
      ...(notes ?? []).map((note): [string, Child] => [
        t("note"),
        h("span", {}, ...inLanguage(note)),
      ]),
      [t("versions"), `mydyno ${host.mydyno_version || view.mydyno_version}`],
      [t("command"), command(r.command)],
    ];
    return h("div", { class: "block" }, heading("h3", `recording-${r.id}`, r.id), list(rows));
  }
  const machine = t("machine-is", {
    cpus: host.cpus,
    model: host.cpu_model,
    memory: bytes(host.memory_bytes),
  });
  const cautions = r.cautions.map((c) =>
    h("li", {}, c.target === null ? c.text : t("labelled", { label: c.target, text: c.text })),
  );
  return h(
    "div",
    { class: "block" },
    heading("h3", `recording-${r.id}`, r.id),
    list([
      ...(r.name ? [[t("name"), r.name] as [string, Child]] : []),
      ...(r.note ? [[t("note"), r.note] as [string, Child]] : []),
      [t("recorded"), moment(r.started_at)],
      [
        t("extent"),
        joined("join-clauses", [
          t("trials-done", { done: r.trials_done, planned: r.trials_planned }),
          r.truncated ?? "",
        ]),
      ],
      [t("window"), t("window-is", { time: seconds(r.time_s), warmup: seconds(r.warmup_s) })],
      [t("load"), joined("join-clauses", [loop, ...dials])],
      [t("seed"), h("code", {}, String(r.seed))],
      [t("plan-hash"), h("code", {}, r.plan_hash)],
      [
        t("machine"),
        t("labelled", {
          label: host.hostname,
          text: joined("join-phrases", [machine, host.virtualised ? t("virtual-machine") : ""]),
        }),
      ],
      [t("system"), joined("join-phrases", [host.os, host.kernel, host.architecture])],
      [t("versions"), `mydyno ${host.mydyno_version || view.mydyno_version}`],
      [t("command"), command(r.command)],
      ...(r.spec ? [[t("specification"), specification(r.spec)] as [string, Child]] : []),
      ...(cautions.length > 0
        ? [[t("warnings"), h("ul", { class: "plain" }, ...cautions)] as [string, Child]]
        : []),
    ]),
  );
}

/** What was asked for, as a file that repeats it where the recording is not at hand. */
function specification(toml: string): HTMLElement {
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, "spec.toml"),
    h(
      "p",
      { class: "no-print" },
      copyButton(t("copy"), () => toml),
    ),
    h("pre", { class: "log", lang: "en", tabindex: 0 }, toml),
  );
}

/** The view itself, to be kept or worked on. */
function raw(view: View): HTMLElement {
  const button = h("button", { type: "button", class: "choice", id: "download" }, t("download"));
  button.addEventListener("click", () => {
    download(
      new Blob([JSON.stringify(view, null, 1)], { type: "application/json" }),
      `${view.runs[0]?.id ?? "mydyno"}.json`,
    );
  });
  return h("div", { class: "block no-print" }, h("h3", {}, t("raw")), h("p", {}, button));
}
