import type { Backend, CsrBuffers } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { rowPointers } from "./neighbourhoods.ts";

/** Rows per chunk, as for a sparse product: a row is about as much work. */
const PULLED_ROWS = 64;
/** Columns that one thread adds up at a time when entries are scattered: a cache line. */
const SCATTER_COLS = 16;
/** Floats of the rows of a dense matrix that one block of columns reads; tuned by measurement. */
const BLOCK_FLOATS = 3 * 2 ** 18;
/** Stop of the last block: above every column. */
const NO_STOP = 2 ** 31;

export function pullRows(engine: Engine): Backend["pullRows"] {
  return (dX, S, from, cols, accumulate = false) => {
    const name = "pullRows";
    const { numRows, numCols } = S;
    const { rowPtr, colIdx, entries } = engine.csr(name, S);
    const dx = engine.floats(name, "dX", dX, numRows * cols);
    const terms = engine.floats(name, "terms", from.terms, 2 * entries);
    const order = engine.ints(name, "order", from.order, entries);
    const g = engine.floats(name, "G", from.G, numCols * cols);
    const m = engine.floats(name, "M", from.M, numCols * cols);
    const x = engine.floats(name, "X", from.X, numRows * cols);
    const grain = (entries + numRows) * cols < GRAIN ? numRows : PULLED_ROWS;
    inColumnBlocks(engine, S, cols, ({ next, stop, isFirst }) => {
      const matrix = [rowPtr, next, stop, colIdx, order, terms];
      engine.run(name, numRows, grain, dx, ...matrix, g, m, x, cols, Number(accumulate || !isFirst));
    });
    if (!from.held) return;
    const grads = engine.floats(name, "held.grad", from.held.grad, numCols * cols);
    const holders = engine.ints(name, "held.at", from.held.at, numCols * cols);
    const columns = numCols * cols < GRAIN ? cols : SCATTER_COLS;
    engine.run("scatterAddEntries", cols, columns, dx, grads, holders, numCols, cols);
  };
}

/** A block of columns of a sparse matrix. */
interface ColumnBlock {
  /** Address of the entry numbers at which the rows continue, one per row. */
  readonly next: number;
  /** The column before which the block ends. */
  readonly stop: number;
  readonly isFirst: boolean;
}

/**
 * Walks through the entries of a matrix in blocks of columns, narrow enough that caches hold the rows of dense matrices
 * that a block reads. A block takes entries of each row from number `next` on while their column is below `stop`; the
 * last block takes all that are left. Entries of a row keep their order, so results do not depend on the blocks. Rows
 * whose columns do not ascend are slower, but correct.
 */
function inColumnBlocks(engine: Engine, S: CsrBuffers, cols: number, use: (block: ColumnBlock) => void): void {
  const columns = Math.max(1, Math.floor(BLOCK_FLOATS / Math.max(cols, 1)));
  const blocks = Math.max(1, Math.ceil(S.numCols / columns));
  engine.borrow("i32", S.numRows, (buffer, next) => {
    engine.heap.values(buffer).set(rowPointers(engine, S).subarray(0, S.numRows));
    for (let b = 0; b < blocks; b++) {
      const isLast = b + 1 === blocks;
      use({ next, stop: isLast ? NO_STOP : (b + 1) * columns, isFirst: b === 0 });
    }
  });
}
