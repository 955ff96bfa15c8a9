import type { Backend } from "../backend.ts";
import type { Engine } from "./engine.ts";
import { numColumns, type PackedFactor, sddmmPacked, worthPacking } from "./packed-pairs.ts";

/**
 * All terms of a gradient as one product of packed rows. `oneByOne` is the kernel composed of simpler ones, which takes over
 * where packing does not pay.
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
      const factors: PackedFactor[] = [
        ...terms.products.map(({ P, Q, cols }) => ({
          p: engine.floats(name, "P", P, n * cols),
          q: engine.floats(name, "Q", Q, n * cols),
          cols,
        })),
        ...terms.sums.map(({ x }) => ({ x: engine.floats(name, "x", x, n) })),
      ];
      if (pairs.directed || !worthPacking(pairs, numColumns(factors))) {
        oneByOne(out, pairs, terms, options);
        return;
      }
      const y = engine.floats(name, "out", out, pairs.length);
      const sign = engine.floatsOrNone(name, "signs", signs, pairs.length);
      sddmmPacked(engine, pairs, y, factors, sign, accumulate);
    },
  };
}
