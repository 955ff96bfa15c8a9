import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../write-atomically.ts";
import { formatChecked, parseChecked } from "./checked-json.ts";
import type { PartState } from "./part-writer.ts";

/** The file that says how far an unfinished store is. */
export const JOURNAL_FILE = "journal.json";

const KIND = { format: "rgnn graph store, unfinished", version: 1, called: "the journal of a graph store" };

/** Plain values that say how far the work has read its source: the step, and the position within it. */
export type Position = Readonly<Record<string, string | number>>;

/** The progress of an unfinished store. */
export interface Journal {
  /** The source of the store, and the options it is made with. */
  readonly task: Readonly<Record<string, unknown>>;
  readonly position: Position;
  readonly parts: Readonly<Record<string, PartState>>;
}

/** The journal of a folder, if it has one. */
export function readJournal(folder: string): Journal | undefined {
  const path = join(folder, JOURNAL_FILE);
  return existsSync(path) ? (parseChecked(KIND, readFileSync(path, "utf8"), path) as Journal) : undefined;
}

export async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await replaceFile(join(folder, JOURNAL_FILE), formatChecked(KIND, journal));
}
