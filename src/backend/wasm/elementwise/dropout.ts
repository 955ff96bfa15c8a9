import type { Key } from "../../../core/philox.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { dropoutThreshold } from "../../dropout-threshold.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";

/** Elements per chunk, a multiple of the 32 that are drawn at once: fewer than elsewhere, because each costs more. */
const DRAWS = 8192;

type Dropout = Pick<Backend, "dropout" | "reluDropout" | "reluDropoutGrad">;

export function dropout(engine: Engine): Dropout {
  const keepSome = (name: string, out: Buffer, X: Buffer, rate: number, { lo, hi }: Key, floor: number) => {
    const y = engine.floats(name, "out", out);
    const x = engine.floats(name, "X", X, out.length);
    engine.run("dropout", out.length, DRAWS, y, x, dropoutThreshold(rate), 1 / (1 - rate), floor, lo, hi);
  };
  return {
    dropout: (out, X, rate, key) => keepSome("dropout", out, X, rate, key, Number.NEGATIVE_INFINITY),
    reluDropout: (out, X, rate, key) => keepSome("reluDropout", out, X, rate, key, 0),
    reluDropoutGrad(dX, dY, Y, rate) {
      const name = "reluDropoutGrad";
      const { length } = dX;
      const dx = engine.floats(name, "dX", dX);
      const dy = engine.floats(name, "dY", dY, length);
      engine.run(name, length, GRAIN, dx, dy, engine.floats(name, "Y", Y, length), 1 / (1 - rate));
    },
  };
}
