import { check } from "../../core/errors.ts";
import type { LoadOptions } from "../load.ts";

/** Options that take effect only when a store is made, and their flags. */
const PREPARED = {
  directed: "--directed",
  binaryFeatures: "--binary-features",
  ignoreWeights: "--ignore-weights",
  adjacency: "--adjacency",
} as const;

/** Throws if an option would change how a finished store was prepared. */
export function checkPrepared(folder: string, options: LoadOptions): void {
  const wrong = Object.entries(PREPARED).find(([name]) => options[name as keyof typeof PREPARED]);
  check(wrong === undefined, () => `${folder}: a graph store is used as it was made; leave out ${wrong?.[1]}`);
}
