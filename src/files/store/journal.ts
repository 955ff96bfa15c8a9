import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../write-atomically.ts";
import { formatChecked, parseChecked } from "./checked-json.ts";
import type { PartState } from "./part-writer.ts";

/** The file that says how far an unfinished store is. */
export const JOURNAL_FILE = "journal.json";

const KIND = { format: "rgnn graph store, unfinished", version: 1, called: "the journal of a graph store" };

/** Plain values that say where the source stands: the step, and how far it is. */
export type Position = Readonly<Record<string, string | number>>;

/** How far an unfinished store is. */
export interface Journal {
  /** What the store is made of, and how. */
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
