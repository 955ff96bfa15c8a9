import { type Graph, isSparse } from "../graph/graph.ts";
import { type GraphView, SparseMatrix } from "../tensor/index.ts";

/**
 * A noisy version of the graph of a view, on its device. It belongs to the scope that is running, so that nobody takes products with it
 * for constant; features that have no noise are shared.
 */
export function withNoise(clean: GraphView, graph: Graph): GraphView {
  const { backend } = clean;
  const adjacency = SparseMatrix.upload(backend, graph.adjacency);
  const { features } = graph;
  const isNew = features !== clean.host?.features && isSparse(features);
  return {
    ...clean,
    adjacency,
    features: isNew ? SparseMatrix.upload(backend, features) : clean.features,
    overlay: null,
    host: graph,
  };
}
