/**
 * Text from a file, made safe for a message of one line: escapes control characters, which a terminal would interpret.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The same in quotes, with long text cut to 60 characters. */
export function quote(text: string): string {
  return `"${printable(text.length > 60 ? `${text.slice(0, 57)}...` : text)}"`;
}
