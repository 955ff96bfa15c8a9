import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";

/** Columns per chunk: a few cache lines of each row that is read. */
const COLUMNS = 64;

export function transpose(engine: Engine): Pick<Backend, "transpose"> {
  return {
    transpose(out, X, rows, cols) {
      const y = engine.floats("transpose", "out", out, rows * cols);
      const x = engine.floats("transpose", "X", X, rows * cols);
      engine.run("transpose", cols, COLUMNS, y, x, rows, cols);
    },
  };
}
