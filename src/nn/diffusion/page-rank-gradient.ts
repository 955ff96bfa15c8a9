import type { Buffer, PairBuffers } from "../../backend/backend.ts";
import { empty, type Tensor } from "../../tensor/index.ts";
import type { PairGradient } from "../../tensor/pair-gradient.ts";
import type { NormalisedTopK } from "./normalised-top-k.ts";

/** PageRank of `A ⊕ p`: what the gradients of exact and of local PageRank have in common. */
export interface RelaxedPageRank {
  readonly alpha: number;
  /** deg of A ⊕ p + I. */
  readonly degrees: Tensor;
  readonly top: NormalisedTopK;
}

/**
 * t_i = −(1 / 2deg_i) Σ_k Â_ik (S_ik + S_ki), the part of the gradient that comes from the degrees. With
 * S + Sᵀ = (1 − α)/α·ΠKΠ and ÂΠ = (Π − αI) / (1 − α) the sum is (1/α)(ΠKΠ)_ii − Σ_l K_il Π_il, which needs no pass over
 * the edges.
 *
 * @param diagonal (ΠKΠ)_ii, [n]
 */
export function degreeGradient({ alpha, degrees, top }: RelaxedPageRank, dKept: Tensor, diagonal: Tensor): Tensor {
  const { backend } = degrees;
  const local = top.localProducts(dKept);
  const t = empty(backend, degrees.shape);
  backend.affine({ out: t.buffer, a: -0.5 / alpha, A: diagonal.buffer, b: 0.5, B: local.buffer });
  backend.binary("div", t.buffer, t.buffer, degrees.buffer);
  return t;
}

/**
 * Adds ∂L/∂p without the sign of the pair: s_i s_j (S_ij + S_ji) + t_i + t_j, where S = ∂L/∂Â and
 * S + Sᵀ = (1 − α)/α·ΠKΠ.
 *
 * @param products (ΠKΠ)_ij per pair; overwritten, and freed
 */
export function addPairGradient(
  gradient: PairGradient,
  pairs: PairBuffers,
  { alpha, degrees }: RelaxedPageRank,
  products: Buffer,
  t: Tensor,
): void {
  const { backend } = degrees;
  const s = empty(backend, degrees.shape);
  backend.unary("rsqrt", s.buffer, degrees.buffer);
  const factor = empty(backend, [pairs.length]);
  for (const end of ["source", "target"] as const) {
    backend.pairSums({ out: factor.buffer, pairs, x: s.buffer, ends: end });
    backend.binary("mul", products, products, factor.buffer);
  }
  const scale = (1 - alpha) / alpha;
  gradient.accumulate((out, accumulate) => {
    backend.affine({ out, a: scale, A: products, b: Number(accumulate), B: accumulate ? out : null });
  });
  gradient.addSums(t, "both");
  backend.free(products);
}
