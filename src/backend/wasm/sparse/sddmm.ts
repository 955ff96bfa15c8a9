import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { sddmmPacked, worthPacking } from "../pairs/packed-pairs.ts";

/** Pairs per chunk of a sampled product; a multiple of four, the group that its kernel treats at once. */
const PAIRS = 512;

/** Which ends of a pair the `pairSums` kernel adds up: bit 0 is the source, bit 1 the target. */
const ENDS = { source: 1, target: 2, both: 3 } as const;

export function sddmm(engine: Engine): Backend["sddmm"] {
  return ({ out, pairs, P, Q, cols, symmetric = false, accumulate = false }) => {
    const { sources, targets } = engine.pairs("sddmm", pairs);
    const { numNodes, length } = pairs;
    const y = engine.floats("sddmm", "out", out, length);
    const p = engine.floats("sddmm", "P", P, numNodes * cols);
    const q = engine.floats("sddmm", "Q", Q, numNodes * cols);
    if (symmetric && worthPacking(pairs, cols)) {
      sddmmPacked(engine, { pairs, out: y, factors: [{ p, q, cols }], signs: 0, accumulate });
      return;
    }
    const matrices = [p, q, numNodes, cols];
    engine.run("sddmm", length, PAIRS, y, sources, targets, ...matrices, Number(symmetric), Number(accumulate));
  };
}

export function pairSums(engine: Engine): Backend["pairSums"] {
  return ({ out, pairs, x, ends, accumulate = false, signs = null }) => {
    const name = "pairSums";
    const { sources, targets } = engine.pairs(name, pairs);
    const { length } = pairs;
    const y = engine.floats(name, "out", out, length);
    const values = engine.floats(name, "x", x, pairs.numNodes);
    const sign = engine.floatsOrNone(name, "signs", signs, length);
    engine.run(name, length, GRAIN, y, sources, targets, values, ENDS[ends], Number(accumulate));
    if (sign) engine.run("mul", length, GRAIN, y, y, sign);
  };
}
