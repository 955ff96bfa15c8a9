import { type Graph, isSparse } from "../graph/graph.ts";
import { type GraphView, SparseMatrix } from "../tensor/index.ts";

/**
 * A view of `graph`, a noisy version of the graph of `clean`, on the same device. It belongs to the current scope, so
 * that products with it are not treated as constant. Features without noise are shared. The adjacency is uploaded only
 * when a model reads it: a GCN multiplies with a matrix that it makes on the host.
 */
export function withNoise(clean: GraphView, graph: Graph): GraphView {
  const { backend, numNodes, directed, labels } = clean;
  const { features } = graph;
  const isNew = features !== clean.host?.features && isSparse(features);
  let uploaded: SparseMatrix | null = null;
  return {
    backend,
    numNodes,
    directed,
    labels,
    features: isNew ? SparseMatrix.upload(backend, features) : clean.features,
    get adjacency() {
      uploaded ??= SparseMatrix.upload(backend, graph.adjacency);
      return uploaded;
    },
    overlay: null,
    host: graph,
  };
}
