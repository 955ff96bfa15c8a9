import type { Backend } from "../../backend.ts";
import { type Dropout, dropoutThreshold } from "../../dropout.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";

/** Elements per chunk, a multiple of the 32 that are drawn at once: fewer than elsewhere, because each costs more. */
const DRAWS = 8192;

export function dropout(engine: Engine): Backend["dropout"] {
  const floor = Number.NEGATIVE_INFINITY;
  return (out, X, rate, key) => runDropout(engine, { name: "dropout", out, X, rate, key, floor });
}

export function reluDropout(engine: Engine): Backend["reluDropout"] {
  return (out, X, rate, key) => runDropout(engine, { name: "reluDropout", out, X, rate, key, floor: 0 });
}

export function reluDropoutGrad(engine: Engine): Backend["reluDropoutGrad"] {
  return (dX, dY, Y, rate) => {
    const name = "reluDropoutGrad";
    const { length } = dX;
    const dx = engine.floats(name, "dX", dX);
    const dy = engine.floats(name, "dY", dY, length);
    const y = engine.floats(name, "Y", Y, length);
    engine.run(name, length, GRAIN, dx, dy, y, 1 / (1 - rate));
  };
}

function runDropout(engine: Engine, { name, out, X, rate, key, floor }: Dropout): void {
  const y = engine.floats(name, "out", out);
  const x = engine.floats(name, "X", X, out.length);
  engine.run("dropout", out.length, DRAWS, y, x, dropoutThreshold(rate), 1 / (1 - rate), floor, key.lo, key.hi);
}
