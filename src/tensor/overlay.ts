import type { Backend, CsrBuffers, PairBuffers } from "../backend/backend.ts";
import { check, ShapeError } from "../core/errors.ts";
import type { EdgeFactors } from "./edge-factors.ts";
import type { GraphView } from "./graph-view.ts";
import { PairGradient } from "./pair-gradient.ts";
import { type Disposable, register } from "./scope.ts";
import { record } from "./tape.ts";
import { empty, expectShape, type Tensor } from "./tensor.ts";

/**
 * Candidate flips of edges: pair e changes the adjacency by sign_e · weight_e, where the sign is −1 for an edge of the
 * graph (a removal) and +1 otherwise (an insertion), so weight 0 is the clean graph and weight 1 the flipped pair.
 */
export interface Block {
  readonly pairs: PairBuffers;
  /** −1 or +1 per pair. */
  readonly signs: Tensor;
  /** In [0, 1]. An attack takes gradients with respect to these. */
  readonly weights: Tensor;
}

/** A block laid over a graph: products use its active pairs, gradients reach all its pairs. */
export interface Overlay extends Disposable {
  readonly pairs: PairBuffers;
  /**
   * Stands for sign ∘ weight on the tape. Its one element is a placeholder: ops add their shares of the gradient to
   * `gradient`.
   * @internal
   */
  readonly signedWeights: Tensor;
  /** Collects these shares: a value per pair, or factors if every pair of the graph is a candidate. @internal */
  readonly gradient: PairGradient | EdgeFactors;
  /** The pairs above the floor, as a matrix with values sign_e · weight_e. @internal */
  readonly active: CsrBuffers;
  /** The transpose of `active`; the same matrix on undirected graphs. @internal */
  readonly activeTransposed: CsrBuffers;
}

/**
 * `graph ⊕ block`: the view with the block laid over it. Pairs with weight at or below `floor` are left out of products
 * (an attack keeps all other candidates there) but still receive gradients. The overlay lives until the end of the
 * scope; outside any scope the caller disposes it.
 *
 * @example
 * const block = sampleBlock(view, 100_000, 1e-7, "stratified", new Rng(0));
 * const logits = scope(() => model.forward(relax(view, block, 1e-7), { constants, dropout: null }));
 */
export function relax(view: GraphView, block: Block, floor: number): GraphView {
  return layOver(view, block, floor, block);
}

/**
 * The view with the pairs of `flips` above `floor` laid over it, but with gradients for the pairs of `candidates`: for
 * greedy attacks, whose candidates all have weight 0. Lives as long as the result of {@link relax}.
 */
export function layOver(view: GraphView, flips: Block, floor: number, candidates: Block): GraphView {
  checkBlock(view, candidates);
  const gradient = new PairGradient(view.backend, candidates.pairs);
  return withOverlay(
    view,
    { block: flips, floor },
    { pairs: candidates.pairs, signedWeights: signed(candidates, gradient), gradient },
  );
}

/**
 * The view with the pairs of `flips` laid over it, where `factors` collects the gradient for all pairs of the graph.
 * Take the gradient with respect to `anchor`, a tensor of one element, and ignore what it returns.
 * @internal
 */
export function layOverAll(view: GraphView, flips: Block, anchor: Tensor, factors: EdgeFactors): GraphView {
  return withOverlay(
    view,
    { block: flips, floor: 0 },
    { pairs: flips.pairs, signedWeights: anchor, gradient: factors },
  );
}

/** A placeholder for sign ∘ weight on the tape. Nobody reads its value: products use the active pairs. */
function signed({ signs, weights }: Block, gradient: PairGradient): Tensor {
  return record(empty(weights.backend, [1]), [weights], () => [() => gradient.take(signs)]);
}

/**
 * The gradient with respect to an overlay's weights, for an op to return. `add` must add the op's share to the
 * collector that it is given.
 * @internal
 */
export function gradientByPairs(
  { signedWeights, gradient }: Overlay,
  add: (gradient: Overlay["gradient"]) => void,
): Tensor {
  add(gradient);
  return signedWeights; // tells the tape that the share was collected
}

/** The view with an overlay: products use the pairs of `flips` above `floor`, gradients reach `candidates`. */
function withOverlay(
  view: GraphView,
  { block: flips, floor }: { readonly block: Block; readonly floor: number },
  { pairs: candidates, signedWeights, gradient }: Pick<Overlay, "pairs" | "signedWeights" | "gradient">,
): GraphView {
  check(view.overlay === null, () => "relax: a block lies over this view already; relax the clean view");
  checkBlock(view, flips);
  const { pairs } = flips;
  const { backend, numNodes, directed, labels, features, adjacency, host } = view;
  const active = new ActiveMatrix(backend, pairs, flips, floor);
  const reversed = { ...pairs, sources: pairs.targets, targets: pairs.sources };
  const activeTransposed = pairs.directed ? new ActiveMatrix(backend, reversed, flips, floor) : active;
  const parts = [active, activeTransposed, ...(gradient instanceof PairGradient ? [signedWeights, gradient] : [])];
  const overlay: Overlay = {
    pairs: candidates,
    signedWeights,
    active: active.csr,
    activeTransposed: activeTransposed.csr,
    gradient,
    parts,
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
  return { backend, numNodes, directed, labels, features, adjacency, overlay, host };
}

function checkBlock({ numNodes }: GraphView, { pairs, signs, weights }: Block): void {
  check(
    pairs.numNodes === numNodes,
    () => `relax: pairs of ${pairs.numNodes} nodes over a graph of ${numNodes}`,
    ShapeError,
  );
  expectShape("relax", "signs", signs, [pairs.length]);
  expectShape("relax", "weights", weights, [pairs.length]);
}

/** The pairs above the floor as a matrix that the scope owns. */
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
