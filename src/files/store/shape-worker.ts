// A thread that generates rows of a made-up graph.
import { parentPort, workerData } from "node:worker_threads";
import { rowGenerator } from "../../graph/shape-rows.ts";
import { encodeFeatures } from "./feature-encoding.ts";
import type { RowRange, ShapeChunk, ShapeWork } from "./shape-chunks.ts";

const { shape, seed, features: type } = workerData as ShapeWork;
const generate = rowGenerator(shape, seed);

parentPort!.on("message", ({ begin, end }: RowRange) => {
  const rows = generate(begin, end);
  const rowPtr = rows.rowPtr.slice(); // the generator needs its own arrays again
  const columns = rows.colIdx.slice();
  const encoded = encodeFeatures(type === "f32" ? rows.features.slice() : rows.features, shape.numFeatures, type);
  const chunk: ShapeChunk = { begin, end, rowPtr, columns, encoded };
  const moved = [rowPtr, columns, encoded.features, encoded.scales].flatMap((array) => array?.buffer ?? []);
  parentPort!.postMessage(chunk, moved as ArrayBuffer[]);
});
