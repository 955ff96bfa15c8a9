import { type Features, isSparse } from "../graph/graph.ts";
import { sparseRows } from "../graph/sparse-rows.ts";

/**
 * Largest share of non-zero features that is stored in compressed rows. These take two numbers per entry, and a product with
 * them costs several times as much per entry as one with dense rows.
 */
const SPARSE_SHARE = 0.1;
/** Dense rows that are shorter than this cost little in any case. */
const SHORT_ROW = 64;

/** Turns features that are mostly zero into compressed rows; returns others as they are. */
export function compactFeatures(features: Features): Features {
  if (isSparse(features) || features.numCols < SHORT_ROW) return features;
  return mostlyZero(features.data) ? sparseRows(features) : features;
}

/** Stops as soon as there are too many non-zero values, which is early where values are dense. */
function mostlyZero(data: Float32Array): boolean {
  let left = SPARSE_SHARE * data.length;
  for (let at = 0; at < data.length; at++) if (data[at] !== 0 && --left < 0) return false;
  return true;
}
