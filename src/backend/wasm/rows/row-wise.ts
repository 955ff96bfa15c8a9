import type { Backend } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

type Rows = Pick<
  Backend,
  | "scaleRows"
  | "affineCols"
  | "rowDots"
  | "softmaxRows"
  | "softmaxRowsGrad"
  | "logSoftmaxRows"
  | "logSoftmaxRowsGrad"
  | "argmaxRows"
>;

/** Kernels that treat each row of a [rows, cols] matrix on its own. */
export function rows(engine: Engine): Rows {
  const grad = (kernel: "softmaxRowsGrad" | "logSoftmaxRowsGrad"): Backend[typeof kernel] => {
    return (dX, dY, Y, rows, cols) => {
      const size = rows * cols;
      const dx = engine.floats(kernel, "dX", dX, size);
      const dy = engine.floats(kernel, "dY", dY, size);
      engine.run(kernel, rows, rowGrain(cols), dx, dy, engine.floats(kernel, "Y", Y, size), cols);
    };
  };
  const map = (kernel: "softmaxRows" | "logSoftmaxRows"): Backend[typeof kernel] => {
    return (out, X, rows, cols) => {
      const y = engine.floats(kernel, "out", out, rows * cols);
      const x = engine.floats(kernel, "X", X, rows * cols);
      engine.run(kernel, rows, rowGrain(cols), y, x, cols);
    };
  };
  return {
    scaleRows(out, X, scale, rows, cols, accumulate = false) {
      const name = "scaleRows";
      const y = engine.floats(name, "out", out, rows * cols);
      const x = engine.floats(name, "X", X, rows * cols);
      const s = engine.floats(name, "scale", scale, rows);
      engine.run(name, rows, rowGrain(cols), y, x, s, cols, Number(accumulate));
    },
    affineCols(out, X, scale, shift, rows, cols) {
      const name = "affineCols";
      const y = engine.floats(name, "out", out, rows * cols);
      const x = engine.floats(name, "X", X, rows * cols);
      const s = engine.floatsOrNone(name, "scale", scale, cols);
      engine.run(name, rows, rowGrain(cols), y, x, s, engine.floatsOrNone(name, "shift", shift, cols), cols);
    },
    rowDots(out, A, B, rows, cols) {
      const y = engine.floats("rowDots", "out", out, rows);
      const a = engine.floats("rowDots", "A", A, rows * cols);
      const b = engine.floatsOrNone("rowDots", "B", B, rows * cols);
      engine.run("rowDots", rows, rowGrain(cols), y, a, b, cols);
    },
    softmaxRows: map("softmaxRows"),
    softmaxRowsGrad: grad("softmaxRowsGrad"),
    logSoftmaxRows: map("logSoftmaxRows"),
    logSoftmaxRowsGrad: grad("logSoftmaxRowsGrad"),
    argmaxRows(out, X, rows, cols, exclude) {
      const y = engine.ints("argmaxRows", "out", out, rows);
      const x = engine.floats("argmaxRows", "X", X, rows * cols);
      const skip = exclude ? engine.ints("argmaxRows", "exclude", exclude, rows) : 0;
      engine.run("argmaxRows", rows, rowGrain(cols), y, x, cols, skip);
    },
  };
}
