import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Progress, silent } from "../core/progress.ts";
import { type StreamOptions, streamedShape, streamShape } from "../data/synthetic/stream-shape.ts";
import type { Shape, ShapeName } from "../graph/shapes.ts";
import { NpyWriter } from "./npy-writer.ts";

/** Options of {@link writeShape}. */
export interface ShapeFolderOptions extends StreamOptions {
  /** Default 0. */
  readonly seed?: number;
  readonly progress?: Progress;
}

/**
 * Writes a streamed shape into `folder` as `rowPtr.npy`, `colIdx.npy`, `features.npy` and `labels.npy`, which NumPy can
 * map into memory. The heap holds one chunk at a time. The folder appears when everything is in it.
 */
export function writeShape(folder: string, shape: Shape | ShapeName, options: ShapeFolderOptions = {}): void {
  const { seed = 0, progress = silent } = options;
  const { numNodes, numFeatures } = streamedShape(shape, options);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const rowPtr = new NpyWriter(join(partial, "rowPtr.npy"), "<i8");
  const colIdx = new NpyWriter(join(partial, "colIdx.npy"), "<i4");
  const features = new NpyWriter(join(partial, "features.npy"), "<f4", [numFeatures]);
  const labels = new NpyWriter(join(partial, "labels.npy"), "<i4");
  const files = [rowPtr, colIdx, features, labels];
  try {
    let entries = 0;
    rowPtr.append(BigInt64Array.of(0n));
    for (const rows of streamShape(shape, seed, options)) {
      const before = entries;
      rowPtr.append(BigInt64Array.from(rows.rowPtr.subarray(1), (pointer) => BigInt(before + pointer)));
      colIdx.append(rows.colIdx);
      features.append(rows.features);
      labels.append(rows.labels);
      entries += rows.colIdx.length;
      progress.update(rows.end, numNodes, `${entries} entries`);
    }
    for (const file of files) file.finish();
  } finally {
    for (const file of files) file.close();
  }
  renameSync(partial, folder);
}
