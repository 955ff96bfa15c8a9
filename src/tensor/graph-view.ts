import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { applyFlips, type Flips } from "../graph/flips.ts";
import { type Graph, isSparse } from "../graph/graph.ts";
import type { Overlay } from "./overlay.ts";
import { keep, scope } from "./scope.ts";
import { SparseMatrix } from "./sparse-matrix.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** Features on a device: a sparse matrix if the graph stores them as one, else dense. */
export type DeviceFeatures = Tensor | SparseMatrix;

/**
 * A graph as a model sees it: features and adjacency on a device, and perhaps an overlay of weighted flips that the
 * model can be differentiated by. The adjacency is unweighted and has no self loops; models add their own.
 */
export interface GraphView {
  readonly backend: Backend;
  readonly numNodes: number;
  readonly directed: boolean;
  /** Class of each node, in host memory; −1 where it is not known. */
  readonly labels: Int32Array;
  readonly features: DeviceFeatures;
  readonly adjacency: SparseMatrix;
  readonly overlay: Overlay | null;
  /** The clean graph in host memory, if available. Code that works on the host gets it through {@link hostGraph}. */
  readonly host: Graph | null;
}

/** A view that owns its memory. */
export interface DeviceGraph extends GraphView {
  dispose(): void;
}

/** The clean graph of a view in host memory. If it is only on the device, throws an error that names `who` needs it. */
export function hostGraph({ host, numNodes }: GraphView, who: string): Graph {
  check(
    host !== null,
    () => `${who}: needs the graph of ${numNodes} nodes in host memory; make the view with toDevice`,
  );
  return host;
}

/**
 * Copies a graph to a device. It outlives the scope it is made in; the caller disposes it.
 *
 * @example
 * const cpu = await createWasm();
 * const view = toDevice(cpu, syntheticCitation());
 * // train, attack, evaluate
 * view.dispose();
 * await cpu.close();
 */
export function toDevice(backend: Backend, graph: Graph): DeviceGraph {
  const { features, adjacency } = scope(() => ({
    features: uploadFeatures(backend, graph),
    adjacency: SparseMatrix.upload(backend, graph.adjacency),
  })); // if there is no memory for the second, the first is freed
  keep(features);
  keep(adjacency);
  return {
    ...viewOf(backend, graph, features, adjacency),
    dispose() {
      features.dispose();
      adjacency.dispose();
    },
  };
}

/** The same nodes on the device with other edges; features are shared, the new adjacency is disposed by the caller. */
export function withGraph({ backend, features }: GraphView, graph: Graph): DeviceGraph {
  const adjacency = keep(SparseMatrix.upload(backend, graph.adjacency));
  return { ...viewOf(backend, graph, features, adjacency), dispose: () => adjacency.dispose() };
}

/** Like {@link withGraph}, for the clean graph of the view with `flips` applied. */
export function withFlips(view: GraphView, flips: Flips): DeviceGraph {
  return withGraph(view, applyFlips(hostGraph(view, "withFlips"), flips));
}

function viewOf(backend: Backend, graph: Graph, features: DeviceFeatures, adjacency: SparseMatrix): GraphView {
  const { numNodes, directed, labels } = graph;
  return { backend, numNodes, directed, labels, features, adjacency, overlay: null, host: graph };
}

function uploadFeatures(backend: Backend, { features }: Graph): DeviceFeatures {
  if (isSparse(features)) return SparseMatrix.upload(backend, features);
  return tensor(backend, features.data, [features.numRows, features.numCols]);
}
