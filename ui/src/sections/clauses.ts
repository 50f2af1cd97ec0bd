// Sentences of the view taken apart: at their semicolons and full stops, but never within brackets.

const [OPEN, CLOSE] = ["([（【", ")]）】"];

/** The first clause of a text, and all that follows. */
export function clauses(text: string): [string, string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? "";
    if (OPEN.includes(c)) depth += 1;
    if (CLOSE.includes(c)) depth -= 1;
    if (depth > 0) continue;
    const next = text[i + 1];
    const ends =
      c === "；" ||
      (c === "。" && next !== undefined) ||
      ((c === ";" || c === ".") && next === " " && text[i + 2] !== undefined);
    if (ends) return [text.slice(0, i), text.slice(i + 1).trimStart()];
  }
  return [text, ""];
}

/** The first sentence, without its full stop. */
export function firstSentence(text: string): string {
  let rest = text;
  let found = "";
  for (;;) {
    const [clause, more] = clauses(rest);
    found += clause;
    const stop = rest[clause.length];
    if (more === "" || stop === "." || stop === "。") return found.replace(/[.。]$/, "");
    found += rest.slice(clause.length, rest.length - more.length);
    rest = more;
  }
}
