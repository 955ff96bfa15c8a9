import { printable } from "../data/formats/printable.ts";

/** Writes a line with the time to stderr, then the stack of `error`. Terminal codes, say from requests, are escaped. */
export function logLine(line: string, error?: unknown): void {
  const stack = error instanceof Error && error.stack !== undefined ? error.stack.split("\n") : [];
  console.error([`${new Date().toISOString()} ${line}`, ...stack].map(printable).join("\n"));
}
