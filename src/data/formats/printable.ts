/** Text from a file, fit for a message of one line: control characters, which a terminal would obey, are escaped. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The same in quotes, and no longer than a message can bear. */
export function quote(text: string): string {
  return `"${printable(text.length > 60 ? `${text.slice(0, 57)}...` : text)}"`;
}
