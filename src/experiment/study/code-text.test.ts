import { expect, test } from "vitest";
import { codeText } from "./code-text.ts";

test("two versions that differ in comments and line breaks have the same text", () => {
  const short = `const half = sum(a, b) / 2; // as "published"`;
  const long = `/** Half of all. */\nconst half = sum(\n  a,\n  b,\n) / 2;\n`;
  expect(codeText(short)).toBe(codeText(long));
});

test.each([
  ["an operator", "a + b", "a - b"],
  ["a name", "const a = 1;", "const b = 1;"],
  ["what looks like a comment and is none", `fetch("https://a//b")`, `fetch("https://a//c")`],
  ["a space in a string", `say("a b")`, `say("ab")`],
  ["a comma that counts", "f(a, b)", "f(a b)"],
])("%s makes another text", (_, one, other) => {
  expect(codeText(one)).not.toBe(codeText(other));
});
