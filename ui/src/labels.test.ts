// Both catalogues of labels: complete, alike, used. Keeps the types of the labels (generated/labels.ts) and every label in both
// languages with sample values (labels.txt), to be read in one place; MYDYNO_UPDATE=1 rewrites both.

import { parse, type Pattern, type SelectExpression, Visitor } from "@fluent/syntax";
import { afterAll, describe, expect, it } from "vitest";
import englishSource from "../../messages/en/page.ftl?raw";
import chineseSource from "../../messages/zh/page.ftl?raw";
import { type Label, setLang, t } from "./i18n";

/** A variable of a label: what selects a text by its values, or undefined for one that is only shown. */
type Variables = Map<string, string[] | undefined>;

class Read extends Visitor {
  readonly variables: Variables = new Map();
  override visitVariableReference(node: { id: { name: string } }): void {
    if (!this.variables.has(node.id.name)) this.variables.set(node.id.name, undefined);
  }
  override visitSelectExpression(node: SelectExpression): void {
    if (node.selector.type === "VariableReference") {
      const keys = node.variants.map(({ key }) =>
        key.type === "Identifier" ? key.name : key.value,
      );
      this.variables.set(node.selector.id.name, keys);
    }
    this.genericVisit(node);
  }
}

function variablesOf(value: Pattern): Variables {
  const read = new Read();
  read.visit(value);
  return new Map([...read.variables].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function catalogue(source: string): Map<string, Variables> {
  const { body } = parse(source, { withSpans: false });
  const labels = new Map<string, Variables>();
  for (const entry of body) {
    if (["GroupComment", "ResourceComment", "Comment"].includes(entry.type)) continue;
    if (entry.type !== "Message" || !entry.value || entry.attributes.length > 0)
      throw new Error(`neither a message nor a comment: ${JSON.stringify(entry)}`);
    if (labels.has(entry.id.name)) throw new Error(`${entry.id.name} stands twice`);
    labels.set(entry.id.name, variablesOf(entry.value));
  }
  return labels;
}

const english = catalogue(englishSource);
const chinese = catalogue(chineseSource);

/** Whether a text is selected by a number; else it is by one of some words. */
const isPlural = (keys: string[]): boolean =>
  keys.every((key) => /^(zero|one|two|few|many|other|\d+)$/.test(key)) && keys.includes("other");

function typeOf(keys: string[] | undefined): string {
  if (keys === undefined) return "string | number";
  return isPlural(keys) ? "number" : keys.map((key) => JSON.stringify(key)).join(" | ");
}

/** The types of the labels, as TypeScript. */
function types(): string {
  const rows = [...english].map(([id, variables]) => {
    const fields = [...variables].map(([name, keys]) => `${name}: ${typeOf(keys)}`);
    return `  ${JSON.stringify(id)}: ${fields.length === 0 ? "null" : `{ ${fields.join("; ")} }`};`;
  });
  return [
    "// Generated from messages/en/page.ftl by labels.test.ts (MYDYNO_UPDATE=1 npm test). Do not edit.",
    "",
    "/** The labels and their variables; null where there is none. */",
    "export interface Labels {",
    ...rows,
    "}",
    "",
  ].join("\n");
}

/** Sample values of a label: one set for each text that can be selected. */
function samples(variables: Variables): Record<string, string | number>[] {
  const selecting = [...variables].find(([, keys]) => keys !== undefined);
  const shown = Object.fromEntries([...variables.keys()].map((name) => [name, `<${name}>`]));
  if (!selecting) return [shown];
  const [name, keys = []] = selecting;
  return isPlural(keys)
    ? [1, 1234].map((count) => ({ ...shown, [name]: count }))
    : keys.map((key) => ({ ...shown, [name]: key }));
}

const format = t as (label: string, values: Record<string, string | number> | null) => string;

/** Every label in both languages. */
function labels(): string {
  const blocks = [...english].map(([id, variables]) => {
    const lines = (["en", "zh"] as const).flatMap((language) => {
      setLang(language);
      const texts = samples(variables).map((values) => format(id, values));
      return [...new Set(texts)].map((text) => `  ${text.replaceAll("\u00a0", "~")}`);
    });
    return [id, ...lines].join("\n");
  });
  setLang("en");
  return `# Every label of the page in English and Chinese, with sample values; ~ is a space that does not break.\n\n${blocks.join("\n")}\n`;
}

/** All sources of the page but tests and what is generated. */
const sources = import.meta.glob<string>(["./**/*.ts", "!./**/*.test.ts", "!./generated/*"], {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("labels", () => {
  afterAll(() => setLang("en"));
  it("are the same in both languages, with the same variables", () => {
    const names = (all: Map<string, Variables>): [string, string[]][] =>
      [...all].map(([id, variables]) => [id, [...variables.keys()]]);
    expect(names(chinese)).toEqual(names(english));
  });
  it("select by the same words in both languages", () => {
    for (const [id, variables] of english) {
      for (const [name, keys] of variables) {
        const other = chinese.get(id)?.get(name);
        if (keys && !isPlural(keys)) expect(other, `${id}: ${name}`).toEqual(keys);
        else expect(other === undefined || isPlural(other), `${id}: ${name}`).toBe(true);
      }
    }
  });
  it("are Chinese where words are meant", () => {
    setLang("zh");
    const plain = [...chinese].flatMap(([id, variables]) =>
      samples(variables)
        .map((values) => format(id, values))
        .filter((text) => !/[\u4e00-\u9fff，：；、。（）]/.test(text))
        .map((text) => `${id}: ${text}`),
    );
    // The button that leads to English is written in English, the others are names or marks.
    expect(plain).toEqual([
      "language: English",
      "join-sentences: <before><next>",
      "tpmc: tpmC",
      "sqlstate: SQLSTATE",
      "category-is: I/O",
      "crash-kind: kill -9",
    ]);
  });
  it("are all used", () => {
    const text = Object.values(sources).join("\n");
    expect([...english.keys()].filter((id) => !text.includes(`"${id}"`))).toEqual([]);
  });
  it("have their types in generated/labels.ts, which refuse a name that does not exist", async () => {
    await expect(types()).toMatchFileSnapshot("generated/labels.ts");
    // @ts-expect-error No such label.
    const unknown: Label = "no-such-label";
    expect(english.has(unknown)).toBe(false);
  });
  it("read well in both languages: labels.txt", async () => {
    await expect(labels()).toMatchFileSnapshot("labels.txt");
  });
});

describe("a label", () => {
  afterAll(() => setLang("en"));
  it("takes values, and groups numbers alike in both languages", () => {
    expect(t("trials-done", { done: 3, planned: 4 })).toBe("3 of 4 trials");
    expect(t("clients-count", { count: 1 })).toBe("1 client");
    expect(t("clients-count", { count: 1200 })).toBe("1,200 clients");
    setLang("zh");
    expect(t("trials-done", { done: 3, planned: 4 })).toBe("共 4 次试验，已执行 3 次");
    expect(t("clients-count", { count: 1200 })).toBe("1,200 个客户端");
  });
});
