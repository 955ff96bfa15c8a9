import { UserError } from "../../core/errors.ts";
import { catalogue } from "../../data/catalogue/catalogue.ts";
import { checkStatistics } from "../../data/catalogue/check-statistics.ts";
import type { StoreHeader } from "./store-header.ts";

/**
 * What the graph of a store is called. Names of known datasets are theirs alone, because presets and published splits follow from
 * them: a made-up graph of the same name goes by its path.
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

/** What the classes of a store are called: by number, where they have no names. */
export function storeClasses({ classes, numClasses }: StoreHeader): readonly string[] {
  return classes ?? Array.from({ length: numClasses }, (_, label) => String(label));
}
