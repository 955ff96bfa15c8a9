import type { Backend } from "../backend/backend.ts";
import { applyFlips, type Flips } from "../graph/flips.ts";
import { type Graph, isSparse } from "../graph/graph.ts";
import { PushedRows } from "../ppr/pushed-rows.ts";
import type { Overlay } from "./overlay.ts";
import { keep, scope } from "./scope.ts";
import { SparseMatrix } from "./sparse-matrix.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** Features on a device: compressed rows where most words are absent. */
export type DeviceFeatures = Tensor | SparseMatrix;

/**
 * A graph as a model sees it: features and adjacency on a device, and perhaps an overlay of weighted flips that the
 * model can be differentiated by. The adjacency is unweighted and has no self loops; models add their own.
 */
export interface GraphView {
  readonly backend: Backend;
  /** The clean graph on the host; it does not know the overlay. */
  readonly graph: Graph;
  readonly features: DeviceFeatures;
  readonly adjacency: SparseMatrix;
  readonly overlay: Overlay | null;
  /** PageRank of the clean graph by push, for all models that look at it. */
  readonly pushed: PushedRows;
}

/** A view that owns its memory. */
export interface DeviceGraph extends GraphView {
  dispose(): void;
}

/** Copies a graph to a device. It outlives the scope it is made in; the caller disposes it. */
export function toDevice(backend: Backend, graph: Graph): DeviceGraph {
  const { features, adjacency } = scope(() => ({
    features: uploadFeatures(backend, graph),
    adjacency: SparseMatrix.upload(backend, graph.adjacency),
  })); // all or nothing: if there is no memory for the second, the first is freed
  keep(features);
  keep(adjacency);
  return {
    ...{ backend, graph, features, adjacency, overlay: null, pushed: new PushedRows(graph.adjacency, backend) },
    dispose() {
      features.dispose();
      adjacency.dispose();
    },
  };
}

/** The same nodes on the device with other edges; features are shared, the new adjacency is disposed by the caller. */
export function withGraph(view: GraphView, graph: Graph): DeviceGraph {
  const { backend, features } = view;
  const adjacency = keep(SparseMatrix.upload(backend, graph.adjacency));
  const pushed = new PushedRows(graph.adjacency, backend);
  return { ...{ backend, graph, features, adjacency, overlay: null, pushed }, dispose: () => adjacency.dispose() };
}

/** The same with some edges flipped. */
export function withFlips(view: GraphView, flips: Flips): DeviceGraph {
  return withGraph(view, applyFlips(view.graph, flips));
}

function uploadFeatures(backend: Backend, { features }: Graph): DeviceFeatures {
  if (isSparse(features)) return SparseMatrix.upload(backend, features);
  return tensor(backend, features.data, [features.numRows, features.numCols]);
}
