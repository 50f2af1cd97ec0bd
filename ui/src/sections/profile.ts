// Where servers spend CPU: a flame graph of each target, and one of the difference between the first two.

import { download, fileName } from "../charts/save";
import { type Child, h, placed } from "../dom";
import { figure } from "../format";
import { say, t } from "../i18n";
import { type Column, table } from "../table";
import type {
  HotChange,
  HotFunction,
  HotThread,
  ProfileChangeView,
  ProfileView,
  View,
} from "../view";
import { note, section } from "./section";

/** What the script of a flame graph offers. */
interface FlameWindow extends Window {
  search?: (term: string) => void;
  reset_search?: () => void;
}

export function profile(view: View): HTMLElement | null {
  const profiles = view.profiles ?? [];
  if (profiles.length === 0) return null;
  const frames: HTMLIFrameElement[] = [];
  const keep = (svg: string, title: string): HTMLElement => {
    const drawn = flameGraph(svg, title);
    frames.push(drawn.frame);
    return drawn.figure;
  };
  const parts = [
    ...profiles.map((one) => ofTarget(one, keep)),
    ...(view.profile_changes ?? []).map((one) => ofTwo(view, one, keep)),
  ];
  const field = frames.length > 0 && searchField(frames);
  return section("profile", t("profile"), note(t("profile-note")), field, ...parts);
}

type Keep = (svg: string, title: string) => HTMLElement;

function ofTarget(one: ProfileView, keep: Keep): HTMLElement {
  const title = say(one.title);
  return h(
    "div",
    { class: "profile" },
    h("h3", {}, title),
    h("ul", {}, ...one.says.map((words) => h("li", {}, say(words)))),
    one.flame_graph != null && keep(one.flame_graph, title),
    one.functions.length > 0 && functions(title, one.functions),
    one.busy_threads.length > 0 && threads(title, one.busy_threads),
    one.file != null &&
      h(
        "p",
        { class: "note" },
        ...placed((file) => t("profile-file", { file }), h("code", {}, one.file)),
      ),
  );
}

function ofTwo(view: View, one: ProfileChangeView, keep: Keep): HTMLElement {
  const title = say(one.title);
  const label = (at: number): string =>
    view.targets[view.profiles?.[at]?.target ?? -1]?.label ?? "";
  const [base, other] = [label(one.base), label(one.other)];
  return h(
    "div",
    { class: "profile" },
    h("h3", {}, title),
    note(t("profile-change-note", { base, other })),
    one.flame_graph != null && keep(one.flame_graph, title),
    changes(title, base, other, one.functions),
  );
}

/** The height of an SVG in pixels, as it says itself. */
export function heightOf(svg: string): number {
  return Number(/<svg [^>]*?height="(\d+)"/.exec(svg)?.[1] ?? "400");
}

/** The document of a flame graph. Its script would keep what is searched in the address, which such a document has not. */
export function documentOf(svg: string): string {
  const drawn = svg.slice(svg.indexOf("<svg"));
  return `<!doctype html><style>body{margin:0}body>svg{display:block;width:100%}</style><script>history.replaceState=()=>{}</script>${drawn}`;
}

/** In a document of its own: the names within one flame graph are those within any other. */
function flameGraph(svg: string, title: string): { frame: HTMLIFrameElement; figure: HTMLElement } {
  const frame = h("iframe", { class: "flame", title, srcdoc: documentOf(svg) });
  frame.style.height = `${heightOf(svg)}px`;
  const save = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": t("save-chart", { kind: "SVG", title }),
      click: () => download(new Blob([svg], { type: "image/svg+xml" }), `${fileName(title)}.svg`),
    },
    "SVG",
  );
  const caption = h(
    "figcaption",
    {},
    h("span", { class: "of" }, title),
    h("span", { class: "save no-print" }, save),
  );
  return { frame, figure: h("figure", {}, caption, frame) };
}

/** One field for all of them: the same function is marked in each. */
function searchField(frames: HTMLIFrameElement[]): HTMLElement {
  const input = h("input", { type: "search", spellcheck: "false" });
  const mark = (): void => {
    for (const { contentWindow } of frames) {
      const flame = contentWindow as FlameWindow | null;
      try {
        flame?.reset_search?.();
        if (input.value !== "") flame?.search?.(input.value);
      } catch {
        // Half of a regular expression marks nothing.
      }
    }
  };
  input.addEventListener("input", mark);
  return h("label", { class: "flame-search no-print" }, `${t("profile-search")} `, input);
}

const percent = (share: number): string => figure(share * 100);

function functions(title: string, rows: HotFunction[]): HTMLElement {
  const share = (head: string, of: (one: HotFunction) => number): Column<HotFunction> => ({
    head,
    value: (one) => of(one) * 100,
    show: (one) => percent(of(one)),
  });
  const columns: Column<HotFunction>[] = [
    { head: t("profile-function"), value: (one) => one.name, show: (one) => name(one.name) },
    share(t("profile-self"), (one) => one.self_share),
    share(t("profile-total"), (one) => one.total_share),
  ];
  return table({ caption: t("profile-functions", { title }), captionHidden: true, columns, rows });
}

function threads(title: string, rows: HotThread[]): HTMLElement {
  const columns: Column<HotThread>[] = [
    { head: t("profile-thread"), value: (one) => one.name, show: (one) => name(one.name) },
    {
      head: t("profile-share"),
      value: (one) => one.share * 100,
      show: (one) => percent(one.share),
    },
  ];
  return table({ caption: t("profile-threads", { title }), captionHidden: true, columns, rows });
}

function changes(title: string, base: string, other: string, rows: HotChange[]): HTMLElement {
  const share = (target: string, of: (one: HotChange) => number): Column<HotChange> => ({
    head: t("profile-share-of", { target }),
    value: (one) => of(one) * 100,
    show: (one) => percent(of(one)),
  });
  const columns: Column<HotChange>[] = [
    { head: t("profile-function"), value: (one) => one.name, show: (one) => name(one.name) },
    share(base, (one) => one.base_share),
    share(other, (one) => one.other_share),
  ];
  return table({ caption: t("profile-functions", { title }), captionHidden: true, columns, rows });
}

function name(text: string): Child {
  return h("code", {}, text);
}
