import type { Buffer, PairBuffers } from "../backend/backend.ts";
import { keep, register } from "./scope.ts";
import { empty, type Tensor } from "./tensor.ts";

type Ends = "source" | "target" | "both";

/**
 * The gradient of a value by the weight of every node pair, kept as factors: with one product per propagation step,
 * `g_ij = Σ_l ⟨P_l,i, Q_l,j⟩ + x_i + …`. Any set of pairs can be evaluated from them, so that attacks which look at all
 * pairs work through them in tiles and never hold an n × n matrix.
 */
export class EdgeFactors {
  private readonly products: { P: Tensor; Q: Tensor }[] = [];
  private readonly sums: { x: Tensor; ends: Ends }[] = [];

  constructor() {
    register(this);
  }

  /** Adds `⟨P_i, Q_j⟩`, and `⟨P_j, Q_i⟩` on undirected graphs, to the gradient of each pair. Keeps copies. */
  addProduct(P: Tensor, Q: Tensor): void {
    this.products.push({ P: detachedCopy(P), Q: detachedCopy(Q) });
  }

  /** Adds the entries of `x` at the ends of each pair. Keeps a copy. */
  addSums(x: Tensor, ends: Ends): void {
    this.sums.push({ x: detachedCopy(x), ends });
  }

  /** Writes the gradient of each of these pairs into `out`. */
  evaluate(out: Buffer, pairs: PairBuffers): void {
    const symmetric = !pairs.directed;
    let accumulate = false;
    for (const { P, Q } of this.products) {
      P.backend.sddmm(out, pairs, P.buffer, Q.buffer, P.shape[1]!, { symmetric, accumulate });
      accumulate = true;
    }
    for (const { x, ends } of this.sums) {
      x.backend.pairSums(out, pairs, x.buffer, ends, accumulate);
      accumulate = true;
    }
  }

  dispose(): void {
    for (const { P, Q } of this.products.splice(0)) {
      P.dispose();
      Q.dispose();
    }
    for (const { x } of this.sums.splice(0)) x.dispose();
  }
}

/** A copy that the walk back over the tape does not free. */
function detachedCopy(X: Tensor): Tensor {
  const out = keep(empty(X.backend, X.shape));
  X.backend.copy(out.buffer, X.buffer);
  return out;
}
