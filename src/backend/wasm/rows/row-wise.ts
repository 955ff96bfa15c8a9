import type { Backend } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** Kernels that treat each row of a [rows, cols] matrix on its own. */
export function rowWise(engine: Engine) {
  return {
    scaleRows: scaleRows(engine),
    affineCols: affineCols(engine),
    rowDots: rowDots(engine),
    softmaxRows: softmax(engine, "softmaxRows"),
    softmaxRowsGrad: softmaxGrad(engine, "softmaxRowsGrad"),
    logSoftmaxRows: softmax(engine, "logSoftmaxRows"),
    logSoftmaxRowsGrad: softmaxGrad(engine, "logSoftmaxRowsGrad"),
    argmaxRows: argmaxRows(engine),
  };
}

function scaleRows(engine: Engine): Backend["scaleRows"] {
  return ({ out, X, scale, rows, cols, accumulate = false }) => {
    const name = "scaleRows";
    const y = engine.floats(name, "out", out, rows * cols);
    const x = engine.floats(name, "X", X, rows * cols);
    const s = engine.floats(name, "scale", scale, rows);
    engine.run(name, rows, rowGrain(cols), y, x, s, cols, Number(accumulate));
  };
}

function affineCols(engine: Engine): Backend["affineCols"] {
  return ({ out, X, scale, shift, rows, cols }) => {
    const name = "affineCols";
    const y = engine.floats(name, "out", out, rows * cols);
    const x = engine.floats(name, "X", X, rows * cols);
    const slopes = engine.floatsOrNone(name, "scale", scale, cols);
    const shifts = engine.floatsOrNone(name, "shift", shift, cols);
    engine.run(name, rows, rowGrain(cols), y, x, slopes, shifts, cols);
  };
}

function rowDots(engine: Engine): Backend["rowDots"] {
  return (out, A, B, rows, cols) => {
    const y = engine.floats("rowDots", "out", out, rows);
    const a = engine.floats("rowDots", "A", A, rows * cols);
    const b = engine.floatsOrNone("rowDots", "B", B, rows * cols);
    engine.run("rowDots", rows, rowGrain(cols), y, a, b, cols);
  };
}

function softmax(engine: Engine, kernel: "softmaxRows" | "logSoftmaxRows"): Backend[typeof kernel] {
  return (out, X, rows, cols) => {
    const y = engine.floats(kernel, "out", out, rows * cols);
    const x = engine.floats(kernel, "X", X, rows * cols);
    engine.run(kernel, rows, rowGrain(cols), y, x, cols);
  };
}

function softmaxGrad(engine: Engine, kernel: "softmaxRowsGrad" | "logSoftmaxRowsGrad"): Backend[typeof kernel] {
  return (dX, dY, Y, rows, cols) => {
    const dx = engine.floats(kernel, "dX", dX, rows * cols);
    const dy = engine.floats(kernel, "dY", dY, rows * cols);
    const y = engine.floats(kernel, "Y", Y, rows * cols);
    engine.run(kernel, rows, rowGrain(cols), dx, dy, y, cols);
  };
}

function argmaxRows(engine: Engine): Backend["argmaxRows"] {
  return (out, X, rows, cols, exclude) => {
    const y = engine.ints("argmaxRows", "out", out, rows);
    const x = engine.floats("argmaxRows", "X", X, rows * cols);
    const excluded = exclude ? engine.ints("argmaxRows", "exclude", exclude, rows) : 0;
    engine.run("argmaxRows", rows, rowGrain(cols), y, x, cols, excluded);
  };
}
