import type { Engine } from "../engine/engine.ts";
import { edgeSoftmax, edgeSoftmaxGrad } from "./edge-softmax.ts";
import { pairSums, sddmm } from "./sddmm.ts";
import { rowSums, spmm, spmmTransposed } from "./spmm.ts";

/** Products and sums over the entries of a sparse matrix or the pairs of a block. */
export function sparse(engine: Engine) {
  return {
    spmm: spmm(engine),
    spmmTransposed: spmmTransposed(engine),
    sddmm: sddmm(engine),
    rowSums: rowSums(engine),
    pairSums: pairSums(engine),
    edgeSoftmax: edgeSoftmax(engine),
    edgeSoftmaxGrad: edgeSoftmaxGrad(engine),
  };
}
