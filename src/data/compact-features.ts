import { type Features, isSparse } from "../graph/graph.ts";
import { sparseRows } from "../graph/sparse-rows.ts";

/**
 * Largest share of non-zero features that is stored in compressed rows. These take two numbers per entry, and a product with
 * them costs several times as much per entry as one with dense rows.
 */
const SPARSE_SHARE = 0.1;
/** Dense rows that are shorter than this cost little in any case. */
const SHORT_ROW = 64;

/** Features that are mostly zero as compressed rows; others as they are. */
export function compactFeatures(features: Features): Features {
  if (isSparse(features) || features.numCols < SHORT_ROW) return features;
  return mostlyZero(features.data) ? sparseRows(features) : features;
}

/** Ends at the first value too many, which comes soon where values are dense. */
function mostlyZero(data: Float32Array): boolean {
  let left = SPARSE_SHARE * data.length;
  for (let at = 0; at < data.length; at++) if (data[at] !== 0 && --left < 0) return false;
  return true;
}
