import type { ListedGraph } from "./listed-graph.ts";

/** A graph as the node-link JSON of networkx. The attributes of a node are label, split and the list x of features. */
export function formatNodeLink({ nodes, edges, directed, numFeatures }: ListedGraph): string {
  const listed = nodes.map(({ id, label, set, features, counts }) => ({
    id,
    ...(label !== null && { label }),
    ...(set !== null && { split: set }),
    ...counts,
    ...(numFeatures > 0 && { x: features }),
  }));
  const links = edges.map(([source, target]) => ({ source, target }));
  return `${JSON.stringify({ directed, multigraph: false, graph: {}, nodes: listed, links })}\n`;
}
