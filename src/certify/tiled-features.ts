import type { Csr } from "../graph/csr.ts";
import { type DenseMatrix, type Graph, isSparse } from "../graph/graph.ts";
import { type DeviceFeatures, type GraphView, keep, SparseMatrix, tensor } from "../tensor/index.ts";

/** The features of a graph, so many times below each other; the caller disposes them. */
export function tiledFeatures({ backend }: GraphView, { features }: Graph, times: number): DeviceFeatures {
  if (isSparse(features)) return keep(SparseMatrix.upload(backend, tiledRows(features, times)));
  const { data, numRows, numCols } = tiledDense(features, times);
  return keep(tensor(backend, data, [numRows, numCols]));
}

/** How many numbers the device stores for the features of a graph. */
export function featureNumbers({ features }: Graph): number {
  return isSparse(features) ? features.colIdx.length : features.data.length;
}

function tiledDense({ numRows, numCols, data }: DenseMatrix, times: number): DenseMatrix {
  const tiled = new Float32Array(times * data.length);
  for (let t = 0; t < times; t++) tiled.set(data, t * data.length);
  return { numRows: times * numRows, numCols, data: tiled };
}

function tiledRows({ numRows, numCols, rowPtr, colIdx, values }: Csr, times: number): Csr {
  const size = colIdx.length;
  const tiledPtr = new Int32Array(times * numRows + 1);
  const tiled = new Int32Array(times * size);
  const tiledValues = values && new Float32Array(times * size);
  for (let t = 0; t < times; t++) {
    for (let i = 0; i < numRows; i++) tiledPtr[t * numRows + i + 1] = t * size + rowPtr[i + 1];
    tiled.set(colIdx, t * size);
    if (values) tiledValues!.set(values, t * size);
  }
  return { numRows: times * numRows, numCols, rowPtr: tiledPtr, colIdx: tiled, values: tiledValues };
}
