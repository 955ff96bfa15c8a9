import { type Graph, isSparse } from "../graph/graph.ts";
import { type GraphView, SparseMatrix } from "../tensor/index.ts";

/**
 * A noisy version of the graph of a view, on its device. It belongs to the scope that is running, so that nobody takes products with it
 * for constant; features that have no noise are shared. Its edges are uploaded when a model asks for them: a GCN multiplies with a matrix that
 * it makes on the host.
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
