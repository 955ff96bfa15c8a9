import type { Csr } from "../../graph/csr.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Normalisation } from "../../graph/normalise.ts";
import type { Tensor } from "../../tensor/index.ts";

/**
 * A model in evaluation mode as graph convolutions one after the other and nothing else: with Â the normalised adjacency with self loops,
 * `H' = σ(Â·(H·W) ∘ scale + shift)` in each.
 */
export interface ConvolutionStack {
  readonly normalisation: Normalisation;
  /** Which edges of a graph Â has. */
  readonly edges: (graph: Graph) => SeenEdges;
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

/** The edges of a graph that a model's layers mix neighbours over. */
export interface SeenEdges {
  readonly adjacency: Csr;
  /** Whether an edge between these nodes would be seen if it were there. */
  keeps(i: number, j: number): boolean;
}

/** All edges, as a GCN sees them. */
export function allEdges({ adjacency }: Graph): SeenEdges {
  return { adjacency, keeps: () => true };
}
