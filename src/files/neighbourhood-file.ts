import { check, DataError } from "../core/errors.ts";
import type { NodeId, NodeIds } from "../data/node-ids.ts";
import { formatGraphMl } from "../data/writers/graphml.ts";
import type { ListedGraph } from "../data/writers/listed-graph.ts";
import { formatNodeLink } from "../data/writers/node-link.ts";
import { type GraphRows, rowsOfGraph } from "../graph/graph-rows.ts";
import { edgesBetween, nearNodes } from "../graph/near-nodes.ts";
import { type LoadOptions, loadGraph } from "./load.ts";
import { openStore } from "./store/open-store.ts";
import { isStore } from "./store/read-store-header.ts";
import { readStoreIds } from "./store/store-ids.ts";

/** Which nodes a picture shows. */
export interface NeighbourhoodOptions extends LoadOptions {
  /** Ids of the nodes whose surroundings are shown. */
  readonly nodes: readonly NodeId[];
  /** Steps from these nodes. Default 2. */
  readonly hops?: number;
  /** Nodes to show at most. Default 200. */
  readonly most?: number;
}

/** A node of a {@link GraphNeighbourhood}. */
export interface NeighbourhoodNode {
  readonly id: NodeId;
  /** Null where it is unknown. */
  readonly label: string | null;
  readonly degree: number;
  /** Steps from the nearest node that was asked for. */
  readonly distance: number;
}

/** A part of a graph for pictures. */
export interface GraphNeighbourhood {
  readonly directed: boolean;
  /** The nearest first. */
  readonly nodes: readonly NeighbourhoodNode[];
  /** Pairs of ids; each edge of an undirected graph once. */
  readonly edges: readonly (readonly [NodeId, NodeId])[];
  /** False if nodes within reach were left out. */
  readonly complete: boolean;
}

/**
 * The nodes around some nodes of a graph or a graph store, with labels, degrees and distances, and the edges between
 * them. From a store, only the rows of these nodes are read.
 */
export async function neighbourhoodIn(
  nameOrPath: string,
  { nodes, hops = 2, most = 200, ...options }: NeighbourhoodOptions,
): Promise<GraphNeighbourhood> {
  const graph = isStore(nameOrPath) ? openStored(nameOrPath, options) : await load(nameOrPath, options);
  try {
    const { rows, ids, labelOf, directed } = graph;
    const from = ids.nodesOf(nodes);
    check(most >= from.length, () => `${most} nodes at most cannot show the ${from.length} that were asked for`);
    const near = nearNodes(rows, from, { hops, most });
    const shown = [...near.nodes].map((node, k) => ({
      id: ids.idOf(node),
      label: labelOf(node),
      degree: rows.degree(node),
      distance: near.distances[k],
    }));
    const edges = edgesBetween(rows, near.nodes, directed).map(
      ([source, target]) => [ids.idOf(source), ids.idOf(target)] as const,
    );
    return { directed, nodes: shown, edges, complete: near.complete };
  } finally {
    graph.close();
  }
}

/** The text of a neighbourhood in the format that the ending of `path` asks for: GraphML or node-link JSON. */
export function formatNeighbourhood(neighbourhood: GraphNeighbourhood, path = "neighbourhood.json"): string {
  if (path.endsWith(".graphml")) return formatGraphMl(listed(neighbourhood));
  check(
    path.endsWith(".json"),
    () => `${path}: a neighbourhood is written as .json (node-link) or .graphml`,
    DataError,
  );
  return formatNodeLink(listed(neighbourhood));
}

function listed({ directed, nodes, edges }: GraphNeighbourhood): ListedGraph {
  const rows = nodes.map(({ id, label, ...counts }) => ({ id, label, features: [], set: null, counts }));
  return { directed, numFeatures: 0, nodes: rows, edges };
}

/** The parts of a graph that {@link neighbourhoodIn} needs. */
interface OpenGraph {
  readonly rows: Pick<GraphRows, "degree" | "neighbours">;
  readonly ids: NodeIds;
  readonly directed: boolean;
  labelOf(node: number): string | null;
  close(): void;
}

async function load(name: string, options: LoadOptions): Promise<OpenGraph> {
  const { graph, ids, classes } = await loadGraph(name, { allComponents: true, ...options });
  const { labels, directed } = graph;
  const labelOf = (node: number) => (labels[node] < 0 ? null : classes[labels[node]]);
  return { rows: rowsOfGraph(graph), ids, directed, labelOf, close() {} };
}

function openStored(folder: string, options: LoadOptions): OpenGraph {
  check(
    Object.values(options).every((value) => value === undefined),
    () => `${folder}: a graph store is read as it is; leave out --${Object.keys(options)[0]}`,
  );
  const store = openStore(folder, { access: "read" }); // mapping does not pay for a few rows
  const { header } = store;
  return {
    rows: store,
    ids: readStoreIds(folder, header),
    directed: header.directed,
    labelOf(node) {
      const [label] = store.labels([node]);
      return label < 0 ? null : (header.classes?.[label] ?? String(label));
    },
    close: () => store.close(),
  };
}
