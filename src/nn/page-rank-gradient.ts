import type { Buffer } from "../backend/backend.ts";
import { empty, type GraphView, Tensor } from "../tensor/index.ts";
import type { NormalisedTopK } from "./normalised-top-k.ts";

/** PageRank of `A ⊕ p`, as far as its gradient by weights of edges depends on nothing else. */
export interface RelaxedPageRank {
  readonly alpha: number;
  /** deg of A ⊕ p + I. */
  readonly degrees: Tensor;
  readonly top: NormalisedTopK;
}

/**
 * t_i = −(1 / 2deg_i) Σ_k Â_ik (S_ik + S_ki), the share of the degrees in the gradient. With S + Sᵀ = (1 − α)/α·ΠKΠ and
 * ÂΠ = (Π − αI) / (1 − α) the sum is (1/α)(ΠKΠ)_ii − Σ_l K_il Π_il, and no edge needs to be looked at.
 *
 * @param diagonal (ΠKΠ)_ii, [n]
 */
export function degreeGradient({ alpha, degrees, top }: RelaxedPageRank, dKept: Tensor, diagonal: Tensor): Tensor {
  const { backend } = degrees;
  const local = top.localProducts(dKept);
  const t = empty(backend, degrees.shape);
  backend.affine(t.buffer, -0.5 / alpha, diagonal.buffer, 0.5, local.buffer, 0);
  backend.binary("div", t.buffer, t.buffer, degrees.buffer);
  return t;
}

/**
 * ∂L/∂p before the sign: s_i s_j (S_ij + S_ji) + t_i + t_j for every pair of the overlay, where S = ∂L/∂Â and
 * S + Sᵀ = (1 − α)/α·ΠKΠ.
 *
 * @param products (ΠKΠ)_ij per pair; overwritten
 */
export function pairGradient(
  view: GraphView,
  { alpha, degrees }: RelaxedPageRank,
  products: Buffer,
  t: Tensor,
  into: Tensor | null,
): Tensor {
  const { backend } = view;
  const { pairs, signedWeights } = view.overlay!;
  const s = empty(backend, degrees.shape);
  backend.unary("rsqrt", s.buffer, degrees.buffer);
  const factor = empty(backend, signedWeights.shape);
  for (const end of ["source", "target"] as const) {
    backend.pairSums(factor.buffer, pairs, s.buffer, end);
    backend.binary("mul", products, products, factor.buffer);
  }
  const scale = (1 - alpha) / alpha;
  if (into) backend.affine(into.buffer, 1, into.buffer, scale, products, 0);
  else backend.affine(products, scale, products, 0, null, 0);
  const dw = into ?? new Tensor(backend, products, signedWeights.shape);
  backend.pairSums(dw.buffer, pairs, t.buffer, "both", true);
  if (into) backend.free(products);
  return dw;
}
