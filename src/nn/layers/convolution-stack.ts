import type { Csr } from "../../graph/csr.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Normalisation } from "../../graph/normalise.ts";
import type { Tensor } from "../../tensor/index.ts";

/**
 * A model in evaluation mode as a plain stack of graph convolutions, `H' = σ(Â·(H·W) ∘ scale + shift)` in each layer,
 * with Â the normalised adjacency with self loops.
 */
export interface ConvolutionStack {
  readonly normalisation: Normalisation;
  /** The edges of a graph that Â is made of. */
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
  /** Whether σ is relu or the identity. */
  readonly relu: boolean;
}

/** The edges over which a model's layers mix neighbours. */
export interface SeenEdges {
  readonly adjacency: Csr;
  /** Whether the model would use an edge between these nodes if the graph had one. */
  keeps(i: number, j: number): boolean;
}

/** All edges, as a GCN sees them. */
export function allEdges({ adjacency }: Graph): SeenEdges {
  return { adjacency, keeps: () => true };
}
