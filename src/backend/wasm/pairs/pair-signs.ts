import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";

export function pairSigns(engine: Engine): Backend["pairSigns"] {
  return (out, pairs, S, multiply = false) => {
    const { sources, targets } = engine.pairs("pairSigns", pairs);
    const { rowPtr, colIdx } = engine.csr("pairSigns", S);
    const y = engine.floats("pairSigns", "out", out, pairs.length);
    engine.run("pairSigns", pairs.length, GRAIN, y, sources, targets, rowPtr, colIdx, Number(multiply));
  };
}
