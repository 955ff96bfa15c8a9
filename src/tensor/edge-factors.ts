import type { Buffer, Ends, PairBuffers, PairTermsOptions, Scale } from "../backend/backend.ts";
import { keep, register } from "./scope.ts";
import { empty, type Tensor } from "./tensor.ts";

/** Collects the gradient with respect to edge weights: in the backward pass, each op adds its share here. */
export interface EdgeGradient {
  /**
   * Adds `⟨P_i, Q_j⟩`, and `⟨P_j, Q_i⟩` on undirected graphs, to the gradient of each pair (i, j). With `scale`, the
   * rows of P ("left"), of Q ("right") or of both are multiplied by `scale.by` first.
   */
  addProduct(P: Tensor, Q: Tensor, scale?: Scale): void;
  /** Adds the entries of `x` at the ends of each pair. */
  addSums(x: Tensor, ends: Ends): void;
}

/**
 * The gradient with respect to the weights of all node pairs, kept as factors: `g_ij = Σ_l ⟨P_l,i, Q_l,j⟩ + x_i + …`,
 * one product per propagation step. It can be evaluated for any set of pairs, so that an attack on all pairs works
 * through them in tiles and never holds an n × n matrix. Keeps copies of the tensors it is given.
 */
export class EdgeFactors implements EdgeGradient {
  private readonly products: { P: Tensor; Q: Tensor }[] = [];
  private readonly sums: { x: Tensor; ends: Ends }[] = [];

  constructor() {
    register(this);
  }

  addProduct(P: Tensor, Q: Tensor, scale?: Scale): void {
    const left = scale?.sides !== "right";
    const right = scale?.sides !== "left";
    this.products.push({ P: copyOf(P, left ? scale?.by : null), Q: copyOf(Q, right ? scale?.by : null) });
  }

  addSums(x: Tensor, ends: Ends): void {
    this.sums.push({ x: copyOf(x), ends });
  }

  get isEmpty(): boolean {
    return this.products.length + this.sums.length === 0;
  }

  /** Writes the gradient of each of these pairs into `out`. */
  evaluate(out: Buffer, pairs: PairBuffers, options?: PairTermsOptions): void {
    if (this.isEmpty) return;
    const { backend } = (this.products[0]?.P ?? this.sums[0]?.x)!;
    const products = this.products.map(({ P, Q }) => ({ P: P.buffer, Q: Q.buffer, cols: P.shape[1] }));
    const sums = this.sums.map(({ x, ends }) => ({ x: x.buffer, ends }));
    backend.pairTerms(out, pairs, { products, sums }, options);
  }

  dispose(): void {
    for (const { P, Q } of this.products.splice(0)) {
      P.dispose();
      Q.dispose();
    }
    for (const { x } of this.sums.splice(0)) x.dispose();
  }
}

/** A copy that the backward pass does not free, with its rows scaled by `by` if given. */
function copyOf(X: Tensor, by: Buffer | null = null): Tensor {
  const { backend, shape } = X;
  const out = keep(empty(backend, shape));
  if (by) backend.scaleRows({ out: out.buffer, X: X.buffer, scale: by, rows: shape[0], cols: shape[1] });
  else backend.copy(out.buffer, X.buffer);
  return out;
}
