import { check, ShapeError } from "../../../core/errors.ts";
import type { CsrBuffers } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { withWorkspaces } from "../engine/workspaces.ts";

/** Rows per chunk of an aggregation: few, because degrees are skewed. */
export const ROWS = 16;

/** Kernels that return the bytes of a workspace for rows of up to `count` neighbours and `cols` columns. */
type SizeKernel = "neighbourhoodBytes" | "medoidBytes";

/** Hands `use` the record of workspaces that have room for the neighbours of any row. */
export function withNeighbourhoods(
  engine: Engine,
  sizeKernel: SizeKernel,
  S: CsrBuffers,
  cols: number,
  use: (workspaces: number) => void,
): void {
  const pointers = rowPointers(engine, S);
  let longestRow = 0;
  for (let i = 0; i < S.numRows; i++) longestRow = Math.max(longestRow, pointers[i + 1] - pointers[i]);
  const bytes = engine.call(sizeKernel, longestRow, cols);
  check(
    bytes < 2 ** 31,
    () => `a row of ${longestRow} neighbours with ${cols} columns is too long to gather`,
    ShapeError,
  );
  withWorkspaces(engine, { bytes, longestRow }, ({ record }) => use(record));
}

export function rowPointers(engine: Engine, S: CsrBuffers): Int32Array {
  return (engine.heap.values(S.rowPtr as WasmBuffer) as Int32Array).subarray(0, S.numRows + 1);
}
