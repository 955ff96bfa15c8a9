import type { GraphView } from "../graph-view.ts";
import { gradientOf } from "../overlay.ts";
import { record } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";

/**
 * Degrees of `A ⊕ p`, self loops not counted: row sums (how many a node aggregates from) or column sums (how many
 * aggregate from it); the two are equal on undirected graphs.
 */
export function degrees(view: GraphView, sums: "row" | "column"): Tensor {
  const { backend, adjacency, overlay } = view;
  const byRow = sums === "row";
  const out = empty(backend, [adjacency.numRows]);
  backend.rowSums(out.buffer, (byRow ? adjacency : adjacency.transposed).buffers);
  if (overlay) backend.rowSums(out.buffer, byRow ? overlay.active : overlay.activeTransposed, true);
  return record(out, [overlay?.signedWeights ?? null], (d) => [
    (into) => {
      const ends = overlay!.pairs.directed ? (byRow ? "source" : "target") : "both";
      return gradientOf(overlay!, into, (gradient) => gradient.addSums(d, ends));
    },
  ]);
}
