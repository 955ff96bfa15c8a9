import { type Normalisation, normalisedAdjacency } from "../graph/normalise.ts";
import {
  add,
  affine,
  degrees,
  type GraphView,
  propagate,
  reciprocal,
  rsqrt,
  SparseMatrix,
  scaleRows,
  spmm,
  type Tensor,
} from "../tensor/index.ts";
import type { ForwardCache } from "./forward-cache.ts";

/** How a layer mixes neighbours: from one row per node to one row per node. */
export type Aggregate = (X: Tensor) => Tensor;

/**
 * Multiplication by the normalised adjacency of a GCN with self loops. Where candidate flips lie over the graph it is
 * composed from scaling and {@link propagate}, so that gradients reach them; otherwise Â is made once, as a matrix.
 */
export function gcnAggregate(view: GraphView, normalisation: Normalisation, cache: ForwardCache): Aggregate {
  if (view.overlay) return relaxedAggregate(view, normalisation);
  const matrix = cache.once("edges", `Â ${normalisation}`, () =>
    SparseMatrix.upload(view.backend, normalisedAdjacency(view.graph.adjacency, normalisation)),
  );
  return (X) => spmm(matrix, X);
}

function relaxedAggregate(view: GraphView, normalisation: Normalisation): Aggregate {
  const withSelfLoops = (X: Tensor) => add(propagate(view, X), X); // Ã·X
  if (normalisation === "row") {
    const inverse = reciprocal(affine(degrees(view, "row"), 1, 1));
    return (X) => scaleRows(withSelfLoops(X), inverse);
  }
  const s = rsqrt(affine(degrees(view, "column"), 1, 1));
  return (X) => scaleRows(withSelfLoops(scaleRows(X, s)), s);
}
