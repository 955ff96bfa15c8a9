import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { numColumns, type PackedFactor, sddmmPacked, worthPacking } from "./packed-pairs.ts";

type Plain = Pick<Backend, "sddmm" | "pairSums">;

/** All terms of a gradient as one product of packed rows, or one after the other where packing does not pay. */
export function pairTerms(engine: Engine, plain: Plain): Required<Pick<Backend, "pairTerms">> {
  return {
    pairTerms(out, pairs, { products, sums }, { signs = null, accumulate = false } = {}) {
      const name = "pairTerms";
      const n = pairs.numNodes;
      const y = engine.floats(name, "out", out, pairs.length);
      const sign = engine.floatsOrNone(name, "signs", signs, pairs.length);
      const factors: PackedFactor[] = [];
      for (const { P, Q, cols } of products) {
        const p = engine.floats(name, "P", P, n * cols);
        const q = engine.floats(name, "Q", Q, n * cols);
        factors.push({ p, q, cols });
      }
      for (const x of sums) factors.push({ x: engine.floats(name, "x", x, n) });
      if (worthPacking(pairs, numColumns(factors))) {
        sddmmPacked(engine, { pairs, out: y, factors, signs: sign, accumulate });
        return;
      }
      for (const [t, { P, Q, cols }] of products.entries()) {
        plain.sddmm(out, pairs, P, Q, cols, { symmetric: true, accumulate: accumulate || t > 0 });
      }
      for (const [t, x] of sums.entries()) {
        plain.pairSums(out, pairs, x, "both", accumulate || products.length + t > 0);
      }
      if (sign) engine.run("mul", pairs.length, GRAIN, y, y, sign);
    },
  };
}
