import { type Normalisation, normalisedAdjacency } from "../graph/normalise.ts";
import {
  addBias,
  affine,
  convolve,
  degrees,
  type Finish,
  type GraphView,
  reciprocal,
  relu,
  rsqrt,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../tensor/index.ts";
import type { ForwardCache } from "./forward-cache.ts";

/** How a layer mixes neighbours: from one row per node to one row per node. */
export interface Aggregate {
  (X: Tensor): Tensor;
  /** The same with bias and activation, where that saves passes over the result. */
  readonly finished?: (X: Tensor, finish: Finish) => Tensor;
}

/**
 * Multiplication by the normalised adjacency of a GCN with self loops. Where candidate flips lie over the graph it is a
 * {@link convolve}, so that gradients reach them; otherwise Â is made once, as a matrix.
 */
export function gcnAggregate(view: GraphView, normalisation: Normalisation, cache: ForwardCache): Aggregate {
  if (view.overlay) return relaxedAggregate(view, normalisation);
  const matrix = cache.once("edges", `Â ${normalisation}`, () =>
    SparseMatrix.upload(view.backend, normalisedAdjacency(view.graph.adjacency, normalisation)),
  );
  return (X) => spmm(matrix, X);
}

function relaxedAggregate(view: GraphView, normalisation: Normalisation): Aggregate {
  const byRow = normalisation === "row";
  const withSelfLoop = affine(degrees(view, byRow ? "row" : "column"), 1, 1);
  const scale = byRow ? reciprocal(withSelfLoop) : rsqrt(withSelfLoop);
  const finished = (X: Tensor, finish?: Finish) => convolve(view, X, scale, byRow ? "left" : "both", finish);
  return Object.assign((X: Tensor) => finished(X), { finished });
}

/** `finish(aggregate(X))`, in one step where there is such a step. */
export function aggregateAndFinish(aggregate: Aggregate, X: Tensor, finish: Finish): Tensor {
  if (aggregate.finished) return aggregate.finished(X, finish);
  const Y = aggregate(X);
  const biased = finish.bias ? addBias(Y, finish.bias) : Y;
  return finish.relu ? relu(biased) : biased;
}
