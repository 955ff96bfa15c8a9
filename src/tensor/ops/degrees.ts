import type { Ends } from "../../backend/backend.ts";
import type { GraphView } from "../graph-view.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { gradientByPairs } from "../overlay.ts";
import type { Tensor } from "../tensor.ts";

export interface DegreesOperands {
  readonly view: GraphView;
  readonly sums: "row" | "column";
}

export const DEGREES = new OpKind<DegreesOperands>("degrees");

/**
 * Degrees of `A ⊕ p`, self loops not counted: row sums (how many a node aggregates from) or column sums (how many
 * aggregate from it); the two are equal on undirected graphs.
 */
export function degrees(view: GraphView, sums: "row" | "column"): Tensor {
  const { backend, adjacency, overlay } = view;
  return defer({
    kind: DEGREES,
    operands: { view, sums },
    backend,
    shape: [adjacency.numRows],
    inputs: [overlay?.signedWeights ?? null],
    forward: (out) => {
      const { A, B } = summedEdges(view, sums);
      backend.rowSums(out.buffer, A);
      if (B) backend.rowSums(out.buffer, B, true);
    },
    gradients: (d) => [() => gradientByPairs(overlay!, (pairs) => pairs.addSums(d, endsOf(view, sums)))],
  });
}

/** The edges whose row sums are the degrees. */
export function summedEdges({ adjacency, overlay }: GraphView, sums: "row" | "column") {
  if (sums === "row") return { A: adjacency.buffers, B: overlay?.active ?? null };
  return { A: adjacency.transposed.buffers, B: overlay?.activeTransposed ?? null };
}

/** The ends of a pair whose degrees depend on its weight. */
export function endsOf({ overlay }: GraphView, sums: "row" | "column"): Ends {
  if (!overlay!.pairs.directed) return "both";
  return sums === "row" ? "source" : "target";
}
