import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import { numColumns, type PackedFactor, sddmmPacked, worthPacking } from "./packed-pairs.ts";

/**
 * Computes all terms of a gradient as one product of packed rows. Where packing does not pay, it calls `oneByOne`, the
 * composed kernel.
 */
export function pairTerms(
  engine: Engine,
  oneByOne: Backend["pairTerms"],
): Pick<Backend, "pairTerms" | "factorsPerPair"> {
  return {
    factorsPerPair: 1,
    pairTerms(out, pairs, terms, options = {}) {
      const name = "pairTerms";
      const { signs = null, accumulate = false } = options;
      const n = pairs.numNodes;
      const factors: PackedFactor[] = [];
      for (const { P, Q, cols } of terms.products) {
        const p = engine.floats(name, "P", P, n * cols);
        const q = engine.floats(name, "Q", Q, n * cols);
        factors.push({ p, q, cols });
      }
      for (const { x } of terms.sums) factors.push({ x: engine.floats(name, "x", x, n) });
      if (pairs.directed || !worthPacking(pairs, numColumns(factors))) {
        oneByOne(out, pairs, terms, options);
        return;
      }
      const y = engine.floats(name, "out", out, pairs.length);
      const sign = engine.floatsOrNone(name, "signs", signs, pairs.length);
      sddmmPacked(engine, { pairs, out: y, factors, signs: sign, accumulate });
    },
  };
}
