import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import { readWhole } from "../formats/byte-source.ts";
import { csrFromArrays } from "../formats/csr-from-arrays.ts";
import { type NpyArray, parseNpy } from "../formats/npy.ts";
import { toCounts, toFloat32, toInt32, toLabels } from "../formats/npy-cast.ts";
import type { RawGraph } from "../raw-graph.ts";

/** True for a folder of plain .npy files, as `writeShape` makes it for graphs that are too large for an archive. */
export function isNpyFolder(folder: string): boolean {
  return existsSync(join(folder, "rowPtr.npy"));
}

/** Reads `rowPtr.npy`, `colIdx.npy`, `features.npy` and `labels.npy`. */
export function readNpyFolder(folder: string): RawGraph {
  const file = (name: string) => join(folder, `${name}.npy`);
  const rowPtr = toCounts(read(file("rowPtr")), file("rowPtr"));
  const colIdx = toInt32(read(file("colIdx")), file("colIdx"));
  const features = read(file("features"));
  const [numRows, numCols] = features.shape as [number, number];
  const shown = features.shape.join(", ");
  check(features.shape.length === 2, () => `${file("features")}: must be (nodes, features), got (${shown})`, DataError);
  const numNodes = rowPtr.length - 1;
  return {
    name: basename(folder),
    where: folder,
    adjacency: csrFromArrays([numNodes, numNodes], rowPtr, colIdx, null, file("rowPtr")),
    features: { numRows, numCols, data: toFloat32(features, file("features")) },
    labels: toLabels(read(file("labels")), file("labels")),
  };
}

function read(path: string): NpyArray {
  return parseNpy(readWhole(path), path);
}
