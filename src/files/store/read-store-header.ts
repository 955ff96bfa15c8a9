import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import { JOURNAL_FILE } from "./journal.ts";
import { HEADER_FILE, parseStoreHeader, type StoreHeader } from "./store-header.ts";

/** True for a folder with a graph store, finished or not. Opening an unfinished one throws and says so. */
export function isStore(path: string): boolean {
  return existsSync(join(path, HEADER_FILE)) || existsSync(join(path, JOURNAL_FILE));
}

/** The header of the store in a folder. */
export function readStoreHeader(folder: string): StoreHeader {
  const path = join(folder, HEADER_FILE);
  const unfinished = existsSync(join(folder, JOURNAL_FILE));
  check(
    existsSync(path),
    () =>
      `${folder}: ${unfinished ? "is unfinished; run the command that makes it again" : `is no graph store, it has no ${HEADER_FILE}`}`,
    DataError,
  );
  return parseStoreHeader(readFileSync(path, "utf8"), path);
}
