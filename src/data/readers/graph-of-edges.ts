import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries } from "../../graph/csr.ts";
import type { Features } from "../../graph/graph.ts";
import { selectRows } from "../../graph/select-rows.ts";
import { printable, quote } from "../formats/printable.ts";
import type { NodeId } from "../node-ids.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type Beside, splitByIds } from "./beside.ts";
import { adjacencyByIds, adjacencyOf, type ListedEdges, nodesOfEdges } from "./edge-list.ts";
import type { FeatureFile } from "./feature-file.ts";
import type { LabelFile } from "./label-file.ts";
import { noFeatures } from "./no-features.ts";

/** The graph of listed edges. Features and labels are matched by ids; without ids, row k belongs to node k. */
export function graphOfEdges(name: string, edges: ListedEdges, { features, labels, split }: Beside): RawGraph {
  const { ids, adjacency } = nodesOf(edges, features, labels);
  const { numRows } = adjacency;
  const numbered = ids === undefined || ids.every((id, node) => id === node);
  return {
    name,
    where: edges.where,
    adjacency,
    features: features ? featuresFor(ids, features) : noFeatures(numRows),
    labels: labels ? labelsFor(ids, labels) : new Int32Array(numRows).fill(-1),
    ...(!numbered && { ids }),
    ...(labels?.classes && { classes: labels.classes }),
    ...(split && { splits: { public: splitByIds(split, ids, numRows, edges.where) } }),
  };
}

interface Nodes {
  readonly adjacency: Csr;
  /** In the order of the nodes. Absent where no file has ids: nodes are the numbers 0, 1, … */
  readonly ids?: readonly NodeId[];
}

/**
 * Finds the nodes of a graph. If features or labels have no ids, their rows are the nodes 0, 1, … Otherwise the nodes
 * are those of the features or, without features, those of labels and edges together.
 */
function nodesOf(edges: ListedEdges, features?: FeatureFile, labels?: LabelFile): Nodes {
  const count = rowsWithoutIds(features, labels);
  if (count !== undefined) {
    const first: NodeId | undefined = edges.sources[0];
    check(
      typeof first !== "string",
      () =>
        `${edges.where}: nodes have names such as ${quote(String(first))}, so features and labels need a first column of ids`,
      DataError,
    );
    const adjacency = adjacencyOf(edges, count);
    const someIds = features?.ids !== undefined || labels?.ids !== undefined;
    return someIds ? { adjacency, ids: Array.from({ length: count }, (_, node) => node) } : { adjacency };
  }
  if (features?.ids) return { ids: features.ids, adjacency: adjacencyByIds(edges, features.ids) };
  const found = nodesOfEdges(edges);
  if (labels?.ids) return withLabelled(edges, labels.ids, found);
  if (typeof found !== "number") return { ids: found, adjacency: adjacencyByIds(edges, found) };
  return { adjacency: found === 0 ? csrFromEntries(0, 0, [], []) : adjacencyOf(edges, found) };
}

function rowsWithoutIds(features?: FeatureFile, labels?: LabelFile): number | undefined {
  if (features && !features.ids) return features.features.numRows;
  return labels && !labels.ids ? labels.labels.length : undefined;
}

/** The nodes that have labels, then the others that occur in edges: not every node needs a label. */
function withLabelled(edges: ListedEdges, labelled: readonly NodeId[], found: number | readonly NodeId[]): Nodes {
  const named = typeof found === "number" ? Array.from({ length: found }, (_, node) => node) : found;
  const known = new Set(labelled);
  const sameKind = named.length === 0 || labelled.length === 0 || typeof named[0] === typeof labelled[0];
  check(
    sameKind,
    () =>
      `${edges.where}: calls nodes ${quote(String(named[0]))} and the like, but labels call them ${quote(String(labelled[0]))}`,
    DataError,
  );
  const ids = [...labelled, ...named.filter((id) => !known.has(id))];
  return { ids, adjacency: adjacencyByIds(edges, ids) };
}

/** Features in the order of the nodes. Without ids, they are in this order already. */
function featuresFor(ids: readonly NodeId[] | undefined, file: FeatureFile): Features {
  if (ids === undefined || file.ids === undefined) return file.features;
  const rows = rowsById(file.ids, "features");
  const order = Int32Array.from(ids, (id) => {
    const row = rows.get(id);
    check(row !== undefined, () => `features: there are none of node ${shown(id)}`, DataError);
    return row;
  });
  return selectRows(file.features, order);
}

/** Labels in the order of the nodes. Nodes that are missing from a file with ids get −1. */
function labelsFor(ids: readonly NodeId[] | undefined, file: LabelFile): Int32Array {
  if (ids === undefined || file.ids === undefined) return file.labels;
  const rows = rowsById(file.ids, "labels");
  const nodes = new Set(ids);
  const unknown = file.ids.find((id) => !nodes.has(id));
  check(
    unknown === undefined,
    () => `labels: node ${shown(unknown!)} is not among the nodes of the features`,
    DataError,
  );
  return Int32Array.from(ids, (id) => {
    const row = rows.get(id);
    return row === undefined ? -1 : file.labels[row];
  });
}

function rowsById(ids: readonly NodeId[], where: string): Map<NodeId, number> {
  const rows = new Map<NodeId, number>();
  for (const [row, id] of ids.entries()) {
    check(!rows.has(id), () => `${where}: node ${shown(id)} is there twice`, DataError);
    rows.set(id, row);
  }
  return rows;
}

function shown(id: NodeId): string {
  return printable(String(id));
}
