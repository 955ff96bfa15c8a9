import type { Ends } from "../edge-factors.ts";
import type { GraphView } from "../graph-view.ts";
import { gradientOf } from "../overlay.ts";
import { record } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";
import { affine, reciprocal, rsqrt } from "./elementwise.ts";

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
    (into) => gradientOf(overlay!, into, (gradient) => gradient.addSums(d, endsOf(view, sums))),
  ]);
}

/**
 * `1 / √d` or `1 / d` of the degrees with self loops, `d = 1 + degrees(view, sums)`: what a graph convolution is normalised by.
 */
export function degreeScale(view: GraphView, sums: "row" | "column", f: "rsqrt" | "reciprocal"): Tensor {
  const { backend, adjacency, overlay } = view;
  if (!backend.degreeScale) {
    const withSelfLoop = affine(degrees(view, sums), 1, 1);
    return f === "rsqrt" ? rsqrt(withSelfLoop) : reciprocal(withSelfLoop);
  }
  const byRow = sums === "row";
  const out = empty(backend, [adjacency.numRows]);
  const A = (byRow ? adjacency : adjacency.transposed).buffers;
  const B = overlay ? (byRow ? overlay.active : overlay.activeTransposed) : null;
  backend.degreeScale(out.buffer, { A, B }, f);
  return record(out, [overlay?.signedWeights ?? null], (d) => [
    (into) => {
      const slopes = empty(backend, out.shape);
      backend.unaryGrad(f, slopes.buffer, d.buffer, out.buffer, out.buffer); // both derivatives are functions of the result
      return gradientOf(overlay!, into, (gradient) => gradient.addSums(slopes, endsOf(view, sums)));
    },
  ]);
}

/** Which end of a pair counts in the degree of that node. */
function endsOf({ overlay }: GraphView, sums: "row" | "column"): Ends {
  if (!overlay!.pairs.directed) return "both";
  return sums === "row" ? "source" : "target";
}
