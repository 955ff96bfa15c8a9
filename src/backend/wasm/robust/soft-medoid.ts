import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import { ROWS, rowPointers, withNeighbourhoods } from "./neighbourhoods.ts";

/** Columns that one thread adds up at a time when entries are scattered: a cache line. */
const SCATTER_COLS = 16;
/** Floats of the gradients by neighbours' rows (a row per entry) that are in memory at once. */
const MAX_GRAD_FLOATS = 2 ** 22;

export function softMedoid(engine: Engine): Backend["softMedoid"] {
  return ({ out, shares, S, X, cols, options: { temperature, scale, weightCorrection } }) => {
    const name = "softMedoid";
    const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
    const y = engine.floats(name, "out", out, S.numRows * cols);
    const q = engine.floats(name, "shares", shares, entries);
    const x = engine.floats(name, "X", X, S.numCols * cols);
    const factors = engine.floats(name, "scale", scale, S.numRows);
    const matrix = [rowPtr, colIdx, values, x, factors, cols];
    withNeighbourhoods(engine, "medoidBytes", S, cols, (workspaces) => {
      engine.run(name, S.numRows, ROWS, y, q, ...matrix, temperature, Number(weightCorrection), workspaces);
    });
  };
}

export function softMedoidGrad(engine: Engine): Backend["softMedoidGrad"] {
  return ({ dX, dY, shares, S, X, cols, options: { temperature, scale } }) => {
    const name = "softMedoidGrad";
    const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
    const dx = engine.floats(name, "dX", dX, S.numCols * cols);
    const dy = engine.floats(name, "dY", dY, S.numRows * cols);
    const q = engine.floats(name, "shares", shares, entries);
    const x = engine.floats(name, "X", X, S.numCols * cols);
    const factors = engine.floats(name, "scale", scale, S.numRows);
    const matrix = [rowPtr, colIdx, values, x, factors, cols];
    const pointers = rowPointers(engine, S);
    withNeighbourhoods(engine, "medoidBytes", S, cols, (workspaces) => {
      for (const { begin, end } of rowRanges(pointers, Math.floor(MAX_GRAD_FLOATS / Math.max(cols, 1)))) {
        const columns = colIdx + 4 * pointers[begin];
        const count = pointers[end] - pointers[begin];
        engine.borrow("f32", count * cols, (_, grads) => {
          engine.run(name, end - begin, ROWS, grads, begin, dy, q, ...matrix, temperature, workspaces);
          engine.run("scatterAddRows", cols, SCATTER_COLS, dx, grads, columns, count, cols);
        });
      }
    });
  };
}

interface RowRange {
  readonly begin: number;
  readonly end: number;
}

/** Ranges of rows with up to `entries` entries each, or of one longer row, whatever the number of threads (rule R1). */
function rowRanges(rowPtr: ArrayLike<number>, entries: number): RowRange[] {
  const ranges: RowRange[] = [];
  let begin = 0;
  for (let end = 1; end < rowPtr.length; end++) {
    const isFull = end + 1 === rowPtr.length || rowPtr[end + 1] - rowPtr[begin] > entries;
    if (!isFull) continue;
    ranges.push({ begin, end });
    begin = end;
  }
  return ranges;
}
