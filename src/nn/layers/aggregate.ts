import { type Normalisation, normalisedAdjacency } from "../../graph/normalise.ts";
import {
  affine,
  type Constants,
  convolve,
  degrees,
  type GraphView,
  hostGraph,
  reciprocal,
  rsqrt,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../../tensor/index.ts";
import type { Pass } from "../model.ts";

/** How a layer mixes neighbours, `X ↦ P·X` for a GCN: from one row per node to one row per node. */
export type Aggregate = (X: Tensor) => Tensor;

/**
 * Multiplication by the normalised adjacency of a GCN with self loops: `D^(−1/2)(A + I)D^(−1/2)`, or `D⁻¹(A + I)` by
 * row. If the view has an overlay it is a {@link convolve}, so that gradients reach the candidate flips; otherwise a
 * sparse product.
 */
export function gcnAggregate(view: GraphView, normalisation: Normalisation, { constants }: Pass): Aggregate {
  if (view.overlay) return relaxedAggregate(view, normalisation);
  const matrix = gcnMatrix(view, normalisation, constants);
  return (X) => spmm(matrix, X);
}

/**
 * The normalised adjacency of a view. If the view is a part of a graph, call this before running a model on it, with
 * the degrees in the whole graph: `constants` keep the matrix, and the model finds it there.
 */
export function gcnMatrix(
  view: GraphView,
  normalisation: Normalisation,
  constants: Constants,
  degree?: ArrayLike<number>,
): SparseMatrix {
  return constants.of(view, `Â ${normalisation}`, () =>
    SparseMatrix.upload(view.backend, normalisedAdjacency(hostGraph(view, "gcn").adjacency, normalisation, degree)),
  );
}

function relaxedAggregate(view: GraphView, normalisation: Normalisation): Aggregate {
  if (normalisation === "row") {
    const inverse = reciprocal(affine(degrees(view, "row"), 1, 1)); // D⁻¹, self loops counted
    return (X) => convolve(view, X, inverse, "left");
  }
  const inverseRoot = rsqrt(affine(degrees(view, "column"), 1, 1)); // D^(−1/2), self loops counted
  return (X) => convolve(view, X, inverseRoot, "both");
}
