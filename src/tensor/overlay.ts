import type { Backend, CsrBuffers, PairBuffers } from "../backend/backend.ts";
import { check, ShapeError } from "../core/errors.ts";
import type { GraphView } from "./graph-view.ts";
import { mul } from "./ops/elementwise.ts";
import { type Disposable, register } from "./scope.ts";
import { expectShape, type Tensor } from "./tensor.ts";

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
export interface Overlay extends Disposable {
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
 * (an attack keeps all other candidates there) but still receive gradients. The overlay lives until the end of the scope;
 * outside any scope the caller disposes it.
 */
export function relax(view: GraphView, block: Block, floor: number): GraphView {
  const { backend, graph, features, adjacency } = view;
  const { pairs, signs, weights } = block;
  check(view.overlay === null, () => "relax: a block lies over this view already; relax the clean view");
  check(
    pairs.numNodes === graph.numNodes,
    () => `relax: pairs of ${pairs.numNodes} nodes over a graph of ${graph.numNodes}`,
    ShapeError,
  );
  expectShape("relax", "signs", signs, [pairs.length]);
  expectShape("relax", "weights", weights, [pairs.length]);
  const matrix = (of: PairBuffers) => new ActiveMatrix(backend, of, block, floor);
  const active = matrix(pairs);
  const reversed = { ...pairs, sources: pairs.targets, targets: pairs.sources };
  const activeTransposed = pairs.directed ? matrix(reversed) : active;
  const parts = [mul(signs, weights), active, activeTransposed] as const;
  const overlay: Overlay = {
    ...{ pairs, signedWeights: parts[0], active: active.csr, activeTransposed: activeTransposed.csr, parts },
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
  return { backend, graph, features, adjacency, overlay };
}

/** The matrix of a block's active pairs, freed at the end of the scope. */
class ActiveMatrix {
  readonly csr: CsrBuffers;
  private readonly backend: Backend;
  private isDisposed = false;

  constructor(backend: Backend, pairs: PairBuffers, { signs, weights }: Block, floor: number) {
    this.backend = backend;
    this.csr = backend.activeMatrix(pairs, signs.buffer, weights.buffer, floor);
    register(this);
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const buffer of [this.csr.rowPtr, this.csr.colIdx, this.csr.values!]) this.backend.free(buffer);
  }
}
