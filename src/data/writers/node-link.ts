import type { ListedGraph } from "./listed-graph.ts";

/** A graph as the node-link JSON of networkx. The attributes of a node are label, split and the list x of features. */
export function formatNodeLink({ nodes, edges, directed }: ListedGraph): string {
  const listed = nodes.map(({ id, label, set, features }) => ({
    id,
    ...(label !== null && { label }),
    ...(set !== null && { split: set }),
    x: features,
  }));
  const links = edges.map(([source, target]) => ({ source, target }));
  return `${JSON.stringify({ directed, multigraph: false, graph: {}, nodes: listed, links })}\n`;
}
