import { existsSync, statSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";
import { check } from "../../core/errors.ts";
import type { CatalogueEntry } from "../../data/catalogue/catalogue.ts";

/** The folder for downloads: the cache folder of the system. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment["XDG_CACHE_HOME"]) return join(environment["XDG_CACHE_HOME"], "rgnn");
  if (platform() === "darwin") return join(homedir(), "Library", "Caches", "rgnn");
  if (platform() === "win32" && environment["LOCALAPPDATA"]) return join(environment["LOCALAPPDATA"], "rgnn");
  return join(homedir(), ".cache", "rgnn");
}

/** The folders to search for datasets, in this order: `dataDir`, which must exist, `$RGNN_DATA`, the cache. */
export function dataFolders(
  dataDir?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  check(
    dataDir === undefined || isFolder(dataDir),
    () => `${dataDir}: there is no such folder; --data-dir names a folder with datasets`,
  );
  const folders = [dataDir, environment["RGNN_DATA"], cacheFolder(environment)];
  return folders.filter((folder) => folder !== undefined && folder !== "") as string[];
}

/** The path of a known dataset on this machine, or undefined. */
export function findDataset({ places }: CatalogueEntry, folders: readonly string[]): string | undefined {
  const paths = folders.flatMap((folder) => places.map((place) => join(folder, place)));
  return paths.find((path) => existsSync(path) || existsSync(`${path}.graph`));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
