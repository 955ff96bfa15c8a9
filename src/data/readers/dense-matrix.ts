import { check, DataError } from "../../core/errors.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import type { NpyArray } from "../formats/npy.ts";
import { toFloat32 } from "../formats/npy-cast.ts";

/** A two-dimensional array as a dense matrix. */
export function denseMatrix(array: NpyArray, where: string): DenseMatrix {
  const { shape } = array;
  check(shape.length === 2, () => `${where}: shape must be (nodes, features), got (${shape.join(", ")})`, DataError);
  return { numRows: shape[0], numCols: shape[1], data: toFloat32(array, where) };
}
