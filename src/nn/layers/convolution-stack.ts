import type { Normalisation } from "../../graph/normalise.ts";
import type { Tensor } from "../../tensor/index.ts";

/**
 * A model in evaluation mode as graph convolutions one after the other and nothing else: with Â the normalised adjacency with self loops,
 * `H' = σ(Â·(H·W) ∘ scale + shift)` in each.
 */
export interface ConvolutionStack {
  readonly normalisation: Normalisation;
  readonly layers: readonly Convolution[];
}

/** One layer of a {@link ConvolutionStack}. */
export interface Convolution {
  /** [in, out]; null for the identity. */
  readonly weight: Tensor | null;
  /** Per feature; null for 1. */
  readonly scale: Tensor | null;
  /** Per feature; null for 0. */
  readonly shift: Tensor | null;
  /** Whether what is below 0 becomes 0. */
  readonly relu: boolean;
}
