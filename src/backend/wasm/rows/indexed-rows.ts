import { check } from "../../../core/errors.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { type Engine, GRAIN, rowGrain } from "../engine/engine.ts";

/** As in `assembly/rows/indexed-rows.ts`. */
const CHECK_CHUNK = 4096;
/** Columns that one thread adds up at a time when rows are scattered: two cache lines. */
const SCATTER_COLS = 32;

/** Rows and entries chosen by an index per row. Indices are checked: they come from the user's data. */
export function indexedRows(engine: Engine) {
  return {
    gatherRows: gatherRows(engine),
    scatterAddRows: scatterAddRows(engine),
    groupIndices: groupIndices(engine),
    pick: pick(engine),
    pickGrad: pickGrad(engine),
  };
}

function gatherRows(engine: Engine): Backend["gatherRows"] {
  return (out, X, index, cols) => {
    const name = "gatherRows";
    const indices = engine.ints(name, "index", index);
    const y = engine.heap.address(name, "out", out, out.dtype, index.length * cols);
    const x = engine.heap.address(name, "X", X, out.dtype);
    checkIndices(engine, name, "index", index, cols === 0 ? 2 ** 31 : Math.floor(X.length / cols));
    engine.run(name, index.length, rowGrain(cols), y, x, indices, cols);
  };
}

function scatterAddRows(engine: Engine): Backend["scatterAddRows"] {
  return (out, X, index, rows, cols) => {
    const name = "scatterAddRows";
    const indices = engine.ints(name, "index", index);
    const y = engine.floats(name, "out", out, rows * cols);
    const x = engine.floats(name, "X", X, index.length * cols);
    checkIndices(engine, name, "index", index, rows);
    const grain = index.length * cols < GRAIN ? cols : SCATTER_COLS;
    engine.run(name, cols, grain, y, x, indices, index.length, cols);
  };
}

function groupIndices(engine: Engine): Backend["groupIndices"] {
  return (rowPtr, order, index) => {
    const name = "groupIndices";
    const { length } = index;
    const indices = engine.ints(name, "index", index);
    const begins = engine.ints(name, "rowPtr", rowPtr);
    const places = engine.ints(name, "order", order, length);
    checkIndices(engine, name, "index", index, rowPtr.length - 1);
    engine.call(name, begins, places, indices, length, rowPtr.length - 1);
  };
}

function pick(engine: Engine): Backend["pick"] {
  return (out, X, column, cols) => {
    const { length } = column;
    const columns = engine.ints("pick", "column", column);
    const y = engine.floats("pick", "out", out, length);
    const x = engine.floats("pick", "X", X, length * cols);
    checkIndices(engine, "pick", "column", column, cols);
    engine.run("pick", length, GRAIN, y, x, columns, cols);
  };
}

function pickGrad(engine: Engine): Backend["pickGrad"] {
  return (out, x, column, cols) => {
    const { length } = column;
    const columns = engine.ints("pickGrad", "column", column);
    const y = engine.floats("pickGrad", "out", out, length * cols);
    const dy = engine.floats("pickGrad", "x", x, length);
    checkIndices(engine, "pickGrad", "column", column, cols);
    engine.run("pickGrad", length, GRAIN, y, dy, columns, cols);
  };
}

function checkIndices(engine: Engine, kernel: string, argument: string, index: Buffer, bound: number): void {
  const chunks = Math.ceil(index.length / CHECK_CHUNK);
  engine.borrow("i32", chunks, (buffer, firstWrong) => {
    const indices = engine.ints(kernel, argument, index);
    engine.run("checkIndices", chunks, 8, firstWrong, indices, index.length, bound);
    const wrong = engine.heap.values(buffer).find((position) => position >= 0);
    if (wrong === undefined) return;
    const value = new Int32Array(engine.heap.memory.buffer, indices, index.length)[wrong];
    check(false, () => `${kernel}: ${argument}[${wrong}] must be in 0 … ${bound - 1}, got ${value}`);
  });
}
