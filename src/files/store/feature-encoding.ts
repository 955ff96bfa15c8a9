import { check, DataError } from "../../core/errors.ts";
import { encodeFloat16, float16, LARGEST_FLOAT16 } from "../../core/float16.ts";
import type { StoreWriter } from "./store-writer.ts";

/** How a store keeps features. */
export type FeatureType = "f32" | "f16" | "i8";

export const FEATURE_TYPES: readonly FeatureType[] = ["f32", "f16", "i8"];

/** Rows of features as a store keeps them. */
export interface EncodedFeatures {
  readonly features: Float32Array | Uint16Array | Int8Array;
  /** With i8: the factor of each row, by which its numbers are multiplied. */
  readonly scales?: Float32Array;
}

/** Encodes whole rows of `numFeatures` numbers each. */
export function encodeFeatures(rows: Float32Array, numFeatures: number, type: FeatureType): EncodedFeatures {
  if (type === "f32") return { features: rows };
  if (type === "f16") return { features: encodeFloat16(rows) };
  return quantise(rows, numFeatures);
}

/** Rows whose largest magnitude is below this become zero: their scale would have too few bits. */
const SMALLEST = 2 ** -100;

/** Each row as multiples of its largest magnitude / 127, rounded. */
function quantise(rows: Float32Array, numFeatures: number): EncodedFeatures {
  const features = new Int8Array(rows.length);
  const scales = new Float32Array(numFeatures === 0 ? 0 : rows.length / numFeatures);
  for (let row = 0; row < scales.length; row++) {
    const begin = row * numFeatures;
    let largest = 0;
    for (let k = begin; k < begin + numFeatures; k++) largest = Math.max(largest, Math.abs(rows[k]));
    scales[row] = largest < SMALLEST ? 0 : largest / 127;
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

/** Describes rows of features for errors: the first row is that of node `firstNode`. */
export interface FeaturePlace {
  readonly numFeatures: number;
  readonly type: FeatureType;
  readonly firstNode: number;
  readonly where: string;
}

/** Throws unless a store can keep these features. */
export function checkFeatures(rows: Float32Array, place: FeaturePlace): void {
  const largest = place.type === "f16" ? LARGEST_FLOAT16 : Number.MAX_VALUE;
  for (let k = 0; k < rows.length; k++) {
    if (Math.abs(rows[k]) <= largest) continue;
    check(Number.isFinite(rows[k]), () => `${shown(place, k)} is ${rows[k]}, must be finite`, DataError);
    throw new DataError(`${shown(place, k)} is ${rows[k]}, more than float16 holds; use --features f32`);
  }
}

/** {@link checkFeatures} for features that are float16 already. */
export function checkHalves(rows: Uint16Array, place: FeaturePlace): void {
  for (let k = 0; k < rows.length; k++) {
    if ((rows[k] & 0x7c00) === 0x7c00) throw new DataError(`${shown(place, k)} is ${float16(rows[k])}, must be finite`);
  }
}

function shown({ where, numFeatures, firstNode }: FeaturePlace, position: number): string {
  return `${where}: feature ${position % numFeatures} of node ${firstNode + Math.floor(position / numFeatures)}`;
}
