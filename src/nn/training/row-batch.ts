import type { Backend } from "../../backend/backend.ts";
import type { Csr } from "../../graph/csr.ts";
import { type Features, isSparse } from "../../graph/graph.ts";
import { type DeviceFeatures, IntTensor, SparseMatrix, tensor } from "../../tensor/index.ts";
import type { Disposable } from "../../tensor/scope.ts";

/**
 * Some rows of PageRank with the features of the nodes they name, on a device. In a batch per node, `neighbours` has a
 * column for each distinct neighbour. In a batch per pair it has one for each (row, neighbour), and `index` maps it to
 * its row of `features`: then a neighbour gets a different dropout mask in each row.
 */
export interface RowBatch extends Disposable {
  readonly features: DeviceFeatures;
  readonly neighbours: SparseMatrix;
  readonly index: IntTensor | null;
}

/** Uploads rows and the features of the nodes they name. Lives until the end of its scope, or until it is disposed. */
export function rowBatch(
  backend: Backend,
  features: (nodes: Int32Array) => Features,
  rows: Csr,
  per: "node" | "pair",
): RowBatch {
  const { distinct, local } = renumber(rows);
  const pairs = { ...rows, numCols: local.length, colIdx: Int32Array.from(local.keys()) };
  const nodes = { ...rows, numCols: distinct.length, colIdx: local };
  const parts = [
    uploadFeatures(backend, features(distinct)),
    SparseMatrix.upload(backend, per === "pair" ? pairs : nodes),
    ...(per === "pair" ? [IntTensor.from(backend, local)] : []),
  ] as const;
  return {
    features: parts[0],
    neighbours: parts[1],
    index: parts[2] ?? null,
    parts,
    dispose() {
      for (const part of parts) part?.dispose();
    },
  };
}

/** The distinct columns in ascending order, and each entry's position among them. Memory grows with the rows alone. */
function renumber(rows: Csr): { distinct: Int32Array; local: Int32Array } {
  const { colIdx } = rows;
  const distinct = distinctColumns(rows);
  const place = new Map<number, number>();
  for (const [t, column] of distinct.entries()) place.set(column, t);
  return { distinct, local: colIdx.map((column) => place.get(column)!) };
}

/** The nodes whose features {@link rowBatch} asks for, in that order. */
export function distinctColumns({ colIdx }: Csr): Int32Array {
  return Int32Array.from(new Set(colIdx)).sort();
}

/** Some rows of features on a device, until the end of the scope. */
export function uploadFeatures(backend: Backend, features: Features): DeviceFeatures {
  if (isSparse(features)) return SparseMatrix.upload(backend, features);
  return tensor(backend, features.data, [features.numRows, features.numCols]);
}
