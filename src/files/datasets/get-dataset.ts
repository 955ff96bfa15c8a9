import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Progress, silent } from "../../core/progress.ts";
import { type CatalogueEntry, findEntry } from "../../data/catalogue/catalogue.ts";
import { dataFolders, findDataset } from "./data-folders.ts";
import { download } from "./download.ts";
import { unpack } from "./unpack.ts";

/**
 * Downloads a known dataset into `folder` and returns its path there. Complete files that are already there are not
 * downloaded again.
 */
export async function getDataset(
  name: string,
  folder: string,
  progress: Progress = silent,
  entry: CatalogueEntry = findEntry(name),
): Promise<string | undefined> {
  const there = entry.unpack ? findDataset(entry, [folder]) : undefined;
  if (there) return there;
  for (const file of entry.files) {
    const path = join(folder, file.path);
    await download(file, path, progress);
    if (!entry.unpack) continue;
    await unpack(path, folder, progress);
    await rm(path);
  }
  return findDataset(entry, [folder]);
}

/** Where a known dataset lies on this machine, or undefined. */
export function locateDataset(name: string, dataDir?: string): string | undefined {
  return findDataset(findEntry(name), dataFolders(dataDir));
}
