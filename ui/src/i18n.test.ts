import { afterEach, describe, expect, it } from "vitest";
import { labels, setLang, t } from "./i18n";

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? "").sort();

describe("labels", () => {
  afterEach(() => setLang("en"));
  it("are complete in both languages, with the same placeholders", () => {
    for (const [key, words] of Object.entries(labels)) {
      expect(words.en.trim(), key).not.toBe("");
      expect(words.zh.trim(), key).not.toBe("");
      expect(placeholders(words.zh), key).toEqual(placeholders(words.en));
    }
  });
  it("are Chinese where words are meant", () => {
    const same = Object.entries(labels)
      .filter(([, words]) => !/[\u4e00-\u9fff]/.test(words.zh))
      .map(([key]) => key);
    // The button that leads to English is written in English; SQLSTATE is a name; tpmC is a name; some are only punctuation.
    expect(same.sort()).toEqual([
      "clause_gap",
      "colon",
      "full_stop",
      "language",
      "list_gap",
      "phrase_gap",
      "sentence_end",
      "state",
      "tpmc",
      "tpmc_unit",
    ]);
  });
  it("take values", () => {
    expect(t("trials_done", { done: 3, planned: 4 })).toBe("3 of 4 trials");
    setLang("zh");
    expect(t("trials_done", { done: 3, planned: 4 })).toBe("共 4 次试验，已执行 3 次");
  });
});
