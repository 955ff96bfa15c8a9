import { readFileSync } from "node:fs";
import { DataError } from "../core/errors.ts";
import type { NodeIds } from "../data/node-ids.ts";

/** The lines of a text file that names nodes by their ids in the input. */
export function linesOf(file: string): string[] {
  return textOf(file)
    .replace(/^\ufeff/, "")
    .trimEnd()
    .split(/\r\n|\n|\r/);
}

/** The node with the id on a line of a file; errors name the line. */
export function nodeIn(file: string, line: number, id: string, ids: NodeIds): number {
  try {
    return ids.nodeOf(id);
  } catch (error) {
    throw new DataError(`${file}: line ${line}: ${(error as Error).message}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new DataError(
      `${file}: cannot be read (${(error as NodeJS.ErrnoException).code}); is it there, and yours to read?`,
    );
  }
}
