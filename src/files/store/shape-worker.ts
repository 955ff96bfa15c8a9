// A thread that generates rows of a made-up graph.
import { parentPort, workerData } from "node:worker_threads";
import { encodeFloat16 } from "../../core/float16.ts";
import { encodedRowGenerator, rowGenerator } from "../../graph/shape-rows.ts";
import { type EncodedFeatures, encodeFeatures } from "./feature-encoding.ts";
import type { RowRange, ShapeChunk, ShapeWork } from "./shape-chunks.ts";

const { shape, seed, features: type } = workerData as ShapeWork;
const generate =
  type === "f16" ? encodedRowGenerator(shape, seed, (values) => encodeFloat16(values)) : rowGenerator(shape, seed);

parentPort!.on("message", ({ begin, end }: RowRange) => {
  const rows = generate(begin, end);
  const rowPtr = rows.rowPtr.slice(); // the generator needs its own arrays again
  const columns = rows.colIdx.slice();
  const encoded = encode(rows.features);
  const chunk: ShapeChunk = { begin, end, rowPtr, columns, encoded };
  const moved = [rowPtr, columns, encoded.features, encoded.scales].flatMap((array) => array?.buffer ?? []);
  parentPort!.postMessage(chunk, moved as ArrayBuffer[]);
});

function encode(features: Float32Array | Uint16Array): EncodedFeatures {
  if (features instanceof Float32Array && type === "i8") return encodeFeatures(features, shape.numFeatures, type);
  return { features: features.slice() };
}
