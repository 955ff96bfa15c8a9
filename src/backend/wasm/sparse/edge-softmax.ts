import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";

const ROWS = 512;

export function edgeSoftmax(engine: Engine): Backend["edgeSoftmax"] {
  return (out, S, x) => {
    const name = "edgeSoftmax";
    const { rowPtr, entries } = engine.csr(name, S);
    const to = engine.floats(name, "out", out, entries);
    const from = engine.floats(name, "x", x, entries);
    engine.run(name, S.numRows, ROWS, to, rowPtr, from);
  };
}

export function edgeSoftmaxGrad(engine: Engine): Backend["edgeSoftmaxGrad"] {
  return (dx, S, dy, y) => {
    const name = "edgeSoftmaxGrad";
    const { rowPtr, entries } = engine.csr(name, S);
    const to = engine.floats(name, "dx", dx, entries);
    const from = engine.floats(name, "dy", dy, entries);
    const shares = engine.floats(name, "y", y, entries);
    engine.run(name, S.numRows, ROWS, to, rowPtr, from, shares);
  };
}
