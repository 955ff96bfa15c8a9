import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend, CsrBuffers } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { withWorkspaces } from "../engine/workspaces.ts";

/** Rows per chunk of an aggregation: few, because degrees are skewed. */
const ROWS = 16;
/** Rows per chunk where the work of a row is that of a sparse product. */
const PULLED_ROWS = 64;
/** Columns that one thread adds up at a time when entries are scattered: a cache line. */
const SCATTER_COLS = 16;
/** Floats of a dense matrix whose rows are gathered block by block: as many as pay, by trial. */
const BLOCK_FLOATS = 3 * 2 ** 18;
/** Above every column. */
const NO_STOP = 2 ** 31;
/** Floats of the gradients by neighbours' rows that exist at once. */
const MEDOID_FLOATS = 2 ** 22;

type Robust = Pick<
  Backend,
  "weightedMedian" | "softMedian" | "softMedianGrad" | "pullRows" | "softMedoid" | "softMedoidGrad"
>;

/** Robust aggregation: each thread gathers the neighbours of a row into a workspace of its own. */
export function robust(engine: Engine): Robust {
  return {
    weightedMedian(median, at, S, X, cols) {
      const name = "weightedMedian";
      const { rowPtr, colIdx, values } = engine.csr(name, S);
      const m = engine.floats(name, "median", median, S.numRows * cols);
      const j = engine.ints(name, "at", at, S.numRows * cols);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      withRows(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
        engine.run(name, S.numRows, ROWS, m, j, rowPtr, colIdx, values, x, cols, ...workspaces);
      });
    },
    softMedian(out, saved, S, X, cols, temperature) {
      const name = "softMedian";
      const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
      const y = engine.floats(name, "out", out, S.numRows * cols);
      const m = engine.floats(name, "saved.median", saved.median, S.numRows * cols);
      const at = engine.ints(name, "saved.at", saved.at, S.numRows * cols);
      const share = engine.floats(name, "saved.shares", saved.shares, entries);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      withRows(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
        const matrix = [rowPtr, colIdx, values, x, cols];
        engine.run(name, S.numRows, ROWS, y, m, at, share, ...matrix, temperature, ...workspaces);
      });
    },
    softMedianGrad(dValues, toX, dY, S, X, saved, cols, temperature) {
      const name = "softMedianGrad";
      const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
      const size = S.numRows * cols;
      const da = engine.floatsOrNone(name, "values", dValues, entries);
      const parts = toX
        ? [
            engine.floats(name, "toX.terms", toX.terms, 2 * entries),
            engine.floats(name, "toX.medianGrad", toX.medianGrad, size),
          ]
        : [0, 0];
      const g = engine.floats(name, "dY", dY, size);
      const m = engine.floats(name, "saved.median", saved.median, size);
      const share = engine.floats(name, "saved.shares", saved.shares, entries);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      withRows(engine, "neighbourhoodBytes", S, cols, (workspaces) => {
        const matrix = [rowPtr, colIdx, values, x, cols];
        engine.run(name, S.numRows, ROWS, da, ...parts, g, m, share, ...matrix, temperature, ...workspaces);
      });
    },
    pullRows(dX, S, from, cols, accumulate = false) {
      const name = "pullRows";
      const { rowPtr, colIdx, entries } = engine.csr(name, S);
      const to = engine.floats(name, "dX", dX, S.numRows * cols);
      const terms = engine.floats(name, "terms", from.terms, 2 * entries);
      const order = engine.ints(name, "order", from.order, entries);
      const g = engine.floats(name, "G", from.G, S.numCols * cols);
      const m = engine.floats(name, "M", from.M, S.numCols * cols);
      const x = engine.floats(name, "X", from.X, S.numRows * cols);
      const grain = (entries + S.numRows) * cols < GRAIN ? S.numRows : PULLED_ROWS;
      inBlocks(engine, S, cols, (next, stop, isFirst) => {
        const matrix = [rowPtr, next, stop, colIdx, order, terms];
        engine.run(name, S.numRows, grain, to, ...matrix, g, m, x, cols, Number(accumulate || !isFirst));
      });
      if (!from.held) return;
      const size = S.numCols * cols;
      const grad = engine.floats(name, "held.grad", from.held.grad, size);
      const at = engine.ints(name, "held.at", from.held.at, size);
      engine.run("scatterAddEntries", cols, size < GRAIN ? cols : SCATTER_COLS, to, grad, at, S.numCols, cols);
    },
    softMedoid(out, shares, S, X, cols, { temperature, scale, weightCorrection }) {
      const name = "softMedoid";
      const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
      const y = engine.floats(name, "out", out, S.numRows * cols);
      const share = engine.floats(name, "shares", shares, entries);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      const factor = engine.floats(name, "scale", scale, S.numRows);
      withRows(engine, "medoidBytes", S, cols, (workspaces) => {
        const settings = [factor, cols, temperature, Number(weightCorrection)];
        engine.run(name, S.numRows, ROWS, y, share, rowPtr, colIdx, values, x, ...settings, ...workspaces);
      });
    },
    softMedoidGrad(dX, dY, shares, S, X, cols, { temperature, scale }) {
      const name = "softMedoidGrad";
      const { rowPtr, colIdx, values, entries } = engine.csr(name, S);
      const to = engine.floats(name, "dX", dX, S.numCols * cols);
      const g = engine.floats(name, "dY", dY, S.numRows * cols);
      const share = engine.floats(name, "shares", shares, entries);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      const factor = engine.floats(name, "scale", scale, S.numRows);
      const pointers = rowPointers(engine, S);
      withRows(engine, "medoidBytes", S, cols, (workspaces) => {
        for (const [begin, end] of batches(pointers, Math.floor(MEDOID_FLOATS / Math.max(cols, 1)))) {
          const first = pointers[begin];
          const count = pointers[end] - pointers[begin];
          engine.borrow("f32", count * cols, (_, grads) => {
            const matrix = [rowPtr, colIdx, values, x, factor, cols, temperature];
            engine.run(name, end - begin, ROWS, grads, begin, g, share, ...matrix, ...workspaces);
            engine.run("scatterAddRows", cols, SCATTER_COLS, to, grads, colIdx + 4 * first, count, cols);
          });
        }
      });
    },
  };
}

/**
 * Runs through the entries of a matrix in blocks of columns, few enough that caches hold the rows of dense matrices they name. A block
 * takes entries of each row from number `next` on while their column is below `stop`, and the last block all that are left: the
 * order within a row stays, so that results do not depend on blocks, and rows whose columns do not ascend are only slower.
 */
function inBlocks(
  engine: Engine,
  S: CsrBuffers,
  cols: number,
  use: (next: number, stop: number, isFirst: boolean) => void,
): void {
  const columns = Math.max(1, Math.floor(BLOCK_FLOATS / Math.max(cols, 1)));
  const blocks = Math.max(1, Math.ceil(S.numCols / columns));
  engine.borrow("i32", S.numRows, (next, nextAt) => {
    engine.heap.values(next).set(rowPointers(engine, S).subarray(0, S.numRows));
    for (let b = 0; b < blocks; b++) use(nextAt, b + 1 === blocks ? NO_STOP : (b + 1) * columns, b === 0);
  });
}

/** Ranges of whole rows with about `entries` entries each, whatever the number of threads (rule R1). */
function batches(rowPtr: ArrayLike<number>, entries: number): [begin: number, end: number][] {
  const ranges: [number, number][] = [];
  let begin = 0;
  for (let end = 1; end < rowPtr.length; end++) {
    const isFull = end + 1 === rowPtr.length || rowPtr[end + 1] - rowPtr[begin] > entries;
    if (!isFull) continue;
    ranges.push([begin, end]);
    begin = end;
  }
  return ranges;
}

function rowPointers(engine: Engine, S: CsrBuffers): Int32Array {
  return (engine.heap.values(S.rowPtr as WasmBuffer) as Int32Array).subarray(0, S.numRows + 1);
}

/** Hands `use` the longest row and workspaces that hold it. */
function withRows(
  engine: Engine,
  size: "neighbourhoodBytes" | "medoidBytes",
  S: CsrBuffers,
  cols: number,
  use: (workspaces: readonly number[]) => void,
): void {
  const pointers = rowPointers(engine, S);
  let longest = 0;
  for (let i = 0; i < S.numRows; i++) longest = Math.max(longest, pointers[i + 1] - pointers[i]);
  const bytes = engine.call(size, longest, cols);
  check(bytes >= 0, () => `a row of ${longest} neighbours with ${cols} columns is too long to gather`, ShapeError);
  withWorkspaces(engine, bytes, (workspaces) => use([longest, ...workspaces]));
}
