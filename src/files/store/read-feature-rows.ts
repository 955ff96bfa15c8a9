import { join } from "node:path";
import { decodeFloat16 } from "../../core/float16.ts";
import { fileSource } from "../file-source.ts";
import { BYTES_OF, type StoreHeader } from "./store-header.ts";

/** Features of nodes `begin` … `end − 1`. */
export interface FeatureRows {
  readonly begin: number;
  readonly end: number;
  readonly rows: Float32Array;
}

/** Reads the features of a store from node `first` to the end, `count` rows at a time. */
export function* readFeatureRows(
  folder: string,
  { numNodes, numFeatures, parts }: StoreHeader,
  first: number,
  count: number,
): Generator<FeatureRows> {
  const { type, file } = parts.features;
  const features = fileSource(join(folder, file));
  const scales = type === "i8" ? fileSource(join(folder, parts.scales.file)) : null;
  const rowBytes = BYTES_OF[type] * numFeatures;
  try {
    for (let begin = first; begin < numNodes; begin += count) {
      const end = Math.min(numNodes, begin + count);
      const bytes = features.read(begin * rowBytes, (end - begin) * rowBytes);
      const ofRows = scales && floatsOf(scales.read(4 * begin, 4 * (end - begin)));
      yield { begin, end, rows: decoded(bytes, type, ofRows, numFeatures) };
    }
  } finally {
    features.close();
    scales?.close();
  }
}

function decoded(bytes: Uint8Array, type: string, scales: Float32Array | null, numFeatures: number): Float32Array {
  if (scales) {
    const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    return Float32Array.from(steps, (step, k) => step * scales[Math.floor(k / numFeatures)]);
  }
  return type === "f16"
    ? decodeFloat16(new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2))
    : floatsOf(bytes);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
