import jsTokens from "js-tokens";

const LAYOUT = ["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"];
const CLOSING = [")", "]", "}"];

/**
 * The tokens of a TypeScript source without comments, line breaks and trailing commas: equal for two versions that
 * differ only in comments and layout.
 */
export function codeText(source: string): string {
  const tokens = Array.from(jsTokens(source)).filter(({ type }) => !LAYOUT.includes(type));
  const values = tokens.map(({ value }) => value);
  return values.filter((value, k) => value !== "," || !CLOSING.includes(values[k + 1])).join(" ");
}
