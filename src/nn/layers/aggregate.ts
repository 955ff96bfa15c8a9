import { type Normalisation, normalisedAdjacency } from "../../graph/normalise.ts";
import {
  addBias,
  convolve,
  degreeScale,
  type Finish,
  type GraphView,
  gatherRows,
  type IntTensor,
  MergedEdges,
  relu,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../../tensor/index.ts";
import type { ForwardCache } from "../forward-cache.ts";

/** How a layer mixes neighbours: from one row per node to one row per node. */
export interface Aggregate {
  (X: Tensor): Tensor;
  /** The same with bias and activation, and perhaps for some nodes only, where that saves passes over the result. */
  readonly finished?: (X: Tensor, finish: Finish, nodes: IntTensor | null) => Tensor;
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
  const scale = byRow ? degreeScale(view, "row", "reciprocal") : degreeScale(view, "column", "rsqrt");
  const merged = byRow ? null : new MergedEdges(view, scale);
  const finished = (X: Tensor, finish?: Finish, nodes?: IntTensor | null) =>
    convolve(view, X, scale, byRow ? "left" : "both", finish, { nodes: nodes ?? null, merged });
  return Object.assign((X: Tensor) => finished(X), { finished });
}

/** `finish(aggregate(X))`, of all nodes or of some, in one step where there is such a step. */
export function aggregateAndFinish(
  aggregate: Aggregate,
  X: Tensor,
  finish: Finish,
  nodes: IntTensor | null = null,
): Tensor {
  if (aggregate.finished) return aggregate.finished(X, finish, nodes);
  const all = aggregate(X);
  const Y = nodes ? gatherRows(all, nodes) : all;
  const biased = finish.bias ? addBias(Y, finish.bias) : Y;
  return finish.relu ? relu(biased) : biased;
}
