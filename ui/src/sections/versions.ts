// At which of several builds in order a metric changed.

import { h } from "../dom";
import { fixed } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type { SearchedBuild, VersionSearch, View } from "../view";
import { note, section } from "./section";

export function versions(view: View): HTMLElement | null {
  const all = view.version_searches ?? [];
  if (all.length === 0) return null;
  const parts = all.flatMap((one) => [builds(one), h("p", {}, say(one.says))]);
  return section("versions", t("builds"), note(t("builds-note")), ...parts);
}

function builds(of: VersionSearch): HTMLElement {
  const ratio = ({ ratio: of }: SearchedBuild): string =>
    of === null ? "" : `${fixed(of.value, 2)}x [${fixed(of.low, 2)}, ${fixed(of.high, 2)}]`;
  const place = (build: SearchedBuild): string => {
    if (build.why !== null) return say(build.why).split("\n")[0] ?? "";
    if (build.target === of.before) return t("builds-before");
    return build.target === of.after ? t("builds-after") : "";
  };
  const columns: Column<SearchedBuild>[] = [
    { head: t("builds-build"), value: (one) => one.target },
    { head: t("builds-trials"), value: (one) => one.trials },
    {
      head: t("builds-ratio", { first: of.builds[0]?.target ?? "" }),
      value: (one) => one.ratio?.value ?? null,
      show: ratio,
    },
    { head: t("builds-place"), value: place },
  ];
  const caption =
    of.metric === "throughput" ? t("builds-caption-throughput") : t("builds-caption-p99");
  return table({ caption: `${caption} · ${of.workload}`, columns, rows: of.builds });
}
