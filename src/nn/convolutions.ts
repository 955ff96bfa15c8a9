import type { TrialStack } from "../backend/backend.ts";
import type { Csr } from "../graph/csr.ts";
import type { Graph } from "../graph/graph.ts";

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

/** A trained model as plain graph convolutions, in host memory. */
export interface Convolutions extends Pick<TrialStack, "normalisation" | "input" | "layers"> {
  /** Which edges of a graph its layers see. */
  readonly edges: (graph: Graph) => SeenEdges;
}
