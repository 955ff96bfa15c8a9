import { printable } from "../data/formats/printable.ts";

/** One line on stderr, with the time; the stack of a mistake of ours follows. Text of requests may hold codes for terminals. */
export function logLine(line: string, error?: unknown): void {
  const stack = error instanceof Error && error.stack !== undefined ? error.stack.split("\n") : [];
  console.error([`${new Date().toISOString()} ${line}`, ...stack].map(printable).join("\n"));
}
