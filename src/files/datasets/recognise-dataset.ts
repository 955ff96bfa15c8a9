import { statSync } from "node:fs";
import { basename } from "node:path";
import { type CatalogueEntry, catalogue } from "../../data/catalogue/catalogue.ts";
import type { DataFile } from "../../data/catalogue/catalogue-files.ts";
import { sha256 } from "./download.ts";

/** The known dataset that lies at `path`, identified by checksum, never by name; undefined for any other files. */
export async function recogniseDataset(path: string): Promise<CatalogueEntry | undefined> {
  for (const entry of Object.values(catalogue)) if (await holds(path, entry)) return entry;
  return undefined;
}

/** True if a path, or the prefix of several files (`ind.cora`), has exactly the files of an entry. */
async function holds(path: string, { files, places }: CatalogueEntry): Promise<boolean> {
  if (files.length === 0) return false;
  if (files.length === 1) return isFile(path, files[0]);
  const prefix = places.map((place) => basename(place)).find((place) => /^ind\.\w+$/.test(place));
  const at = prefix === undefined ? -1 : path.lastIndexOf(prefix);
  if (at < 0) return false;
  for (const file of files) if (!(await isFile(`${path.slice(0, at)}${basename(file.path)}`, file))) return false;
  return true;
}

/** Compares sizes first, so that a large file is read only if it may be a known one. */
async function isFile(path: string, { bytes, sha256: sum }: DataFile): Promise<boolean> {
  const here = statSync(path, { throwIfNoEntry: false });
  if (sum === undefined || !here?.isFile() || here.size !== bytes) return false;
  return (await sha256(path)) === sum;
}
