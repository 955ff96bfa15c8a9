import { check, DataError } from "../../core/errors.ts";
import { csrFromArrays } from "../formats/csr-from-arrays.ts";
import { type NpyArray, parseNpy } from "../formats/npy.ts";
import { toCounts, toFloat32, toInt32, toLabels } from "../formats/npy-cast.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type FileSet, readFileOf } from "./file-set.ts";
import { lastPart } from "./file-stem.ts";

/** True for plain .npy files, which hold graphs that are too large for an archive. */
export function hasNpyFiles(files: FileSet): boolean {
  return files.has("rowPtr.npy");
}

/** Reads `rowPtr.npy`, `colIdx.npy`, `features.npy` and `labels.npy`. */
export function readNpyFiles(files: FileSet): RawGraph {
  const where = (name: string) => files.where(`${name}.npy`);
  const read = (name: string): NpyArray => parseNpy(readFileOf(files, `${name}.npy`), where(name));
  const rowPtr = toCounts(read("rowPtr"), where("rowPtr"));
  const colIdx = toInt32(read("colIdx"), where("colIdx"));
  const features = read("features");
  const [numRows, numCols] = features.shape as [number, number];
  const shown = features.shape.join(", ");
  check(
    features.shape.length === 2,
    () => `${where("features")}: must be (nodes, features), got (${shown})`,
    DataError,
  );
  const numNodes = rowPtr.length - 1;
  return {
    name: lastPart(files.name),
    where: files.name,
    adjacency: csrFromArrays({ shape: [numNodes, numNodes], rowPtr, colIdx, values: null }, where("rowPtr")),
    features: { numRows, numCols, data: toFloat32(features, where("features")) },
    labels: toLabels(read("labels"), where("labels")),
  };
}
