import { check, DataError } from "../../core/errors.ts";
import { encodeFloat16, LARGEST_FLOAT16 } from "../../core/float16.ts";
import type { StoreWriter } from "./store-writer.ts";

/** How a store keeps features. */
export type FeatureType = "f32" | "f16" | "i8";

export const FEATURE_TYPES: readonly FeatureType[] = ["f32", "f16", "i8"];

/** Rows of features as a store keeps them. */
export interface EncodedFeatures {
  readonly features: Float32Array | Uint16Array | Int8Array;
  /** With i8: what the numbers of a row are multiples of. */
  readonly scales?: Float32Array;
}

/** Encodes whole rows of `numFeatures` numbers each. */
export function encodeFeatures(rows: Float32Array, numFeatures: number, type: FeatureType): EncodedFeatures {
  if (type === "f32") return { features: rows };
  if (type === "f16") return { features: encodeFloat16(rows) };
  return quantise(rows, numFeatures);
}

/** Each row as multiples of its largest magnitude / 127, rounded. */
function quantise(rows: Float32Array, numFeatures: number): EncodedFeatures {
  const features = new Int8Array(rows.length);
  const scales = new Float32Array(numFeatures === 0 ? 0 : rows.length / numFeatures);
  for (let row = 0; row < scales.length; row++) {
    const begin = row * numFeatures;
    let largest = 0;
    for (let k = begin; k < begin + numFeatures; k++) largest = Math.max(largest, Math.abs(rows[k]));
    scales[row] = largest / 127;
    const perUnit = scales[row] > 0 ? 1 / scales[row] : 0;
    for (let k = begin; k < begin + numFeatures; k++) features[k] = Math.round(rows[k] * perUnit);
  }
  return { features, scales };
}

/** Adds encoded rows to the parts of a store. */
export function appendFeatures(writer: StoreWriter, { features, scales }: EncodedFeatures, type: FeatureType): void {
  writer.part("features", type).append(features);
  if (scales) writer.part("scales", "f32").append(scales);
}

/** Throws unless a store can keep these features; the first row is that of node `firstNode`. */
export function checkFeatures(
  rows: Float32Array,
  { numFeatures, type, firstNode, where }: { numFeatures: number; type: FeatureType; firstNode: number; where: string },
): void {
  const largest = type === "f16" ? LARGEST_FLOAT16 : Number.MAX_VALUE;
  for (let k = 0; k < rows.length; k++) {
    if (Math.abs(rows[k]) <= largest) continue;
    const place = `feature ${k % numFeatures} of node ${firstNode + Math.floor(k / numFeatures)}`;
    check(Number.isFinite(rows[k]), () => `${where}: ${place} is ${rows[k]}, must be finite`, DataError);
    throw new DataError(`${where}: ${place} is ${rows[k]}, more than float16 holds; use --features f32`);
  }
}
