import { describe, expect, it } from "vitest";
import { unequalDurability } from "./differences";

describe("the warning above the curves", () => {
  const said = (id: string, en: string) => ({ id, en, zh: `${en}（中文）` });
  const binaryLog = said("binary_log", "The binary log is on in a only.");
  const durability = said("durability", "Durability differs: a loses commits; b is durable.");
  it("is the one about durability, wherever it stands", () => {
    expect(unequalDurability({ differences: [binaryLog, durability] })).toBe(durability);
  });
  it("is none where durability is the same, whatever else differs", () => {
    const same = said("same_durability", "Durability is the same in all targets: durable.");
    expect(unequalDurability({ differences: [same, binaryLog] })).toBeNull();
    expect(unequalDurability({ differences: [binaryLog] })).toBeNull();
    expect(unequalDurability({ differences: [] })).toBeNull();
  });
});
