import type { CsrBuffers, PairBuffers } from "../backend/backend.ts";
import type { GraphView } from "./graph-view.ts";
import { mul } from "./ops/elementwise.ts";
import { register } from "./scope.ts";
import type { Tensor } from "./tensor.ts";

/**
 * Candidate flips of edges: pair e changes the adjacency by sign_e · weight_e, where the sign is −1 for an edge of the
 * graph (a removal) and +1 otherwise (an insertion), so weight 0 is the clean graph and weight 1 the flipped pair.
 */
export interface Block {
  readonly pairs: PairBuffers;
  /** −1 or +1 per pair. */
  readonly signs: Tensor;
  /** In [0, 1]; what an attack differentiates by. */
  readonly weights: Tensor;
}

/** A block laid over a graph: products see its active pairs, gradients reach all of them. */
export interface Overlay {
  readonly pairs: PairBuffers;
  /** sign ∘ weight, recorded: all gradients meet here and are multiplied by the sign once. */
  readonly signedWeights: Tensor;
  /** The pairs above the floor, as a matrix with values sign_e · weight_e. */
  readonly active: CsrBuffers;
  /** Its transpose: itself on undirected graphs. */
  readonly activeTransposed: CsrBuffers;
}

/**
 * `graph ⊕ block`: the view with the block laid over it. Pairs with weight at or below `floor` are left out of products
 * (an attack keeps all other candidates there) but still receive gradients. Lives until the end of the scope.
 */
export function relax(view: GraphView, block: Block, floor: number): GraphView {
  const { backend } = view;
  const { pairs, signs, weights } = block;
  const matrix = (of: PairBuffers) => ownedByScope(backend.activeMatrix(of, signs.buffer, weights.buffer, floor));
  const active = matrix(pairs);
  const reversed = { ...pairs, sources: pairs.targets, targets: pairs.sources };
  const activeTransposed = pairs.directed ? matrix(reversed) : active;
  return { ...view, overlay: { pairs, signedWeights: mul(signs, weights), active, activeTransposed } };

  function ownedByScope(csr: CsrBuffers): CsrBuffers {
    register({
      dispose() {
        for (const buffer of [csr.rowPtr, csr.colIdx, csr.values!]) backend.free(buffer);
      },
    });
    return csr;
  }
}
