// A chart as a file: SVG as it is drawn, PNG at twice the size of the screen. Colours are those of the theme that is shown.

import { h } from "../dom";
import { t } from "../i18n";
import { svgOf } from "./base";

/** Pixels of a PNG for each pixel of the screen. */
const SCALE = 2;
const MARGIN_PX = 12;
const TITLE_PX = 30;

/** Buttons that save the chart of a place. */
export function saveButtons(place: HTMLElement, title: string): HTMLElement {
  const button = (kind: "SVG" | "PNG", save: () => void): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": t("save-chart", { kind, title }),
        click: save,
      },
      kind,
    );
  const name = fileName(title);
  return h(
    "span",
    { class: "save no-print" },
    button("SVG", () => {
      const drawn = documentOf(place, title);
      if (drawn) download(new Blob([drawn.svg], { type: "image/svg+xml" }), `${name}.svg`);
    }),
    button(
      "PNG",
      () => void png(place, title).then((blob) => blob && download(blob, `${name}.png`)),
    ),
  );
}

/** A title as the name of a file. */
export function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "chart" : name;
}

/** Replaces names of CSS variables by what a reader of the file can resolve. */
export function withColours(svg: string, colour: (variable: string) => string): string {
  return svg.replace(/var\((--[\w-]+)\)/g, (_, variable: string) => colour(variable));
}

/** The colours that CSS variables have now; `light-dark()` is resolved by the browser. */
function resolver(): (variable: string) => string {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const known = new Map<string, string>();
  queueMicrotask(() => probe.remove());
  return (variable) => {
    const found = known.get(variable);
    if (found !== undefined) return found;
    probe.style.color = `var(${variable})`;
    const colour = getComputedStyle(probe).color;
    known.set(variable, colour);
    return colour;
  };
}

/** The chart with its title and a background, as a document of its own. */
function documentOf(
  place: HTMLElement,
  title: string,
): { svg: string; width_px: number; height_px: number } | null {
  const drawn = svgOf(place);
  if (!drawn) return null;
  const colour = resolver();
  const [width_px, height_px] = [
    drawn.width_px + 2 * MARGIN_PX,
    drawn.height_px + TITLE_PX + 2 * MARGIN_PX,
  ];
  const family = getComputedStyle(document.body).fontFamily.replaceAll('"', "'");
  const inner = withColours(drawn.svg, colour);
  const heading = `<text x="0" y="14" font-size="14" font-weight="600" fill="${colour("--text")}">${escaped(title)}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width_px}" height="${height_px}" viewBox="0 0 ${width_px} ${height_px}" font-family="${family}"><rect width="100%" height="100%" fill="${colour("--page")}"/><g transform="translate(${MARGIN_PX},${MARGIN_PX})">${heading}<g transform="translate(0,${TITLE_PX})">${inner}</g></g></svg>`;
  return { svg, width_px, height_px };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function png(place: HTMLElement, title: string): Promise<Blob | null> {
  const drawn = documentOf(place, title);
  if (!drawn) return null;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`;
  await image.decode();
  const canvas = h("canvas", { width: drawn.width_px * SCALE, height: drawn.height_px * SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Hands a file to the reader. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
