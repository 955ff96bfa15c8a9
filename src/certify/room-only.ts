import type { Csr } from "../graph/csr.ts";

/** A matrix whose entries the device will write. Only its size matters, and that every index is one of a row. */
export function roomOnly(size: number, room: number): Csr {
  const rowPtr = new Int32Array(size + 1);
  rowPtr[size] = room;
  return { numRows: size, numCols: size, rowPtr, colIdx: new Int32Array(room), values: null };
}
