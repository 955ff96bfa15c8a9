import { UserError } from "../../core/errors.ts";
import { catalogue } from "../../data/catalogue/catalogue.ts";
import { checkStatistics } from "../../data/catalogue/check-statistics.ts";
import type { StoreHeader } from "./store-header.ts";

/**
 * The name of the graph in a store. Names of known datasets are reserved, because presets and published splits follow
 * from them: another graph that has such a name is called by its path.
 */
export function storeName(folder: string, header: StoreHeader): string {
  const { name } = header;
  if (!Object.hasOwn(catalogue, name)) return name;
  try {
    checkStatistics(catalogue[name], header, folder);
    return name;
  } catch (error) {
    if (error instanceof UserError) return folder;
    throw error;
  }
}

/** The names of the classes of a store; their numbers if they have no names. */
export function storeClasses({ classes, numClasses }: StoreHeader): readonly string[] {
  return classes ?? Array.from({ length: numClasses }, (_, label) => String(label));
}
