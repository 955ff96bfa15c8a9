import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UserError } from "../../core/errors.ts";
import { catalogue } from "../../data/catalogue/catalogue.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import type { Study } from "../../experiment/study/study.ts";

/**
 * Refuses a study that names files outside of `folders`. Otherwise anybody who may post a study could have any file of
 * the machine read, and see parts of it in error messages.
 */
export function checkPaths(study: Study, folders: readonly string[]): void {
  for (const { datasets, splits = [] } of study.parts) {
    for (const { dataset, adjacency } of datasets) {
      if (!Object.hasOwn(catalogue, dataset)) checkPath(dataset, folders);
      if (adjacency !== undefined) checkPath(adjacency, folders);
    }
    for (const split of splits) {
      const choice = split === null ? null : parseSplitChoice(split);
      if (choice?.kind === "file") checkPath(choice.path, folders);
    }
  }
}

function checkPath(path: string, folders: readonly string[]): void {
  const real = realPath(path);
  if (real !== null && folders.some((folder) => isInside(real, folder))) return;
  const known = Object.keys(catalogue).join(", ");
  const where = folders.length > 0 ? `in ${folders.join(" or ")}` : "in the folder that --data-dir names";
  throw new UserError(`${path}: is no known graph (${known}) and no file ${where}`);
}

/** A path with links followed; null if nothing is there. A Planetoid dataset is named by the prefix of its files. */
function realPath(path: string): string | null {
  const absolute = resolve(path);
  try {
    if (existsSync(`${absolute}.graph`)) return join(realpathSync(dirname(absolute)), basename(absolute));
    return realpathSync(absolute);
  } catch {
    return null;
  }
}

/** Whether a real path lies below a folder. */
export function isInside(real: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  const way = relative(realpathSync(folder), real);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
