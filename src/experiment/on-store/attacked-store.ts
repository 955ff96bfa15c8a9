import type { AttackedGraph } from "../../attack/local/attacked-graph.ts";
import type { RowSource } from "../../attack/local/local-prbcd.ts";
import type { GraphStore } from "../../files/store/open-store.ts";
import type { PushPool } from "../../files/store/push-pool.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";

/** A store whose nodes are attacked, with these labels for them. */
export function attackedStore(store: GraphStore, labels: Int32Array): AttackedGraph {
  return {
    numNodes: store.numNodes,
    directed: store.directed,
    degree: (node) => store.degree(node),
    neighbours: (node) => store.neighbours(node),
    features: (nodes) => store.features(nodes),
    labels: () => labels,
  };
}

/** Rows of PageRank and features that the threads of a pool fetch. */
export function rowSource(pool: PushPool, { pageRank }: Pprgo): RowSource {
  return { push: (nodes) => pool.push(nodes, pageRank), features: (nodes) => pool.features(nodes) };
}
