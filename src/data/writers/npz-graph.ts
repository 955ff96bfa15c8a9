import type { Csr } from "../../graph/csr.ts";
import { type DenseMatrix, type Graph, isSparse } from "../../graph/graph.ts";
import { sparseRows } from "../../graph/sparse-rows.ts";
import { formatNpz, type NpzContent } from "../formats/npz.ts";
import type { NodeIds } from "../node-ids.ts";
import type { Split } from "../splits.ts";
import type { GraphContext } from "./graph-context.ts";

/** The member that marks a graph written here. Readers keep all components of such a graph. */
export const FORMAT_MEMBER = "rgnn_format";
const FORMAT = "graph 1";

/**
 * A graph as the bytes of an .npz file, in the CSR layout (`adj_matrix.*`, `attr_matrix.*`, `labels`) that scipy reads.
 * Ids, classes, direction and splits (as masks) are stored too, so that reading the file gives the same graph.
 */
export function formatNpzGraph(graph: Graph, context: GraphContext = {}): Uint8Array {
  const { adjacency, features } = graph;
  return formatNpz({
    ...csrMembers("adj_matrix.", adjacency),
    ...(isSparse(features) ? csrMembers("attr_matrix.", features) : denseMember(features)),
    ...contextMembers(graph, context),
  });
}

/**
 * As {@link formatNpzGraph}, with the names (`adj_data`, `attr_data`, …) that `torch_geometric.io.read_npz` expects.
 */
export function formatPygNpz(graph: Graph, context: GraphContext = {}): Uint8Array {
  const { adjacency, features } = graph;
  return formatNpz({
    ...csrMembers("adj_", adjacency),
    ...csrMembers("attr_", isSparse(features) ? features : sparseRows(features)),
    ...contextMembers(graph, context),
  });
}

function contextMembers(graph: Graph, { ids, classes, splits }: GraphContext): Record<string, NpzContent> {
  const { labels, numNodes, numClasses, directed } = graph;
  return {
    labels: { data: labels },
    class_names: { texts: classes ?? Array.from({ length: numClasses }, (_, label) => String(label)) },
    directed: { data: Uint8Array.of(directed ? 1 : 0), shape: [], boolean: true },
    [FORMAT_MEMBER]: { texts: [FORMAT], shape: [] },
    ...idMember(ids),
    ...maskMembers(splits ?? {}, numNodes),
  };
}

/** The four members by which scipy stores compressed rows. */
export function csrMembers(prefix: string, matrix: Csr): Record<string, NpzContent> {
  const { numRows, numCols, rowPtr, colIdx, values } = matrix;
  return {
    [`${prefix}data`]: { data: values ?? new Float32Array(colIdx.length).fill(1) },
    [`${prefix}indices`]: { data: colIdx },
    [`${prefix}indptr`]: { data: rowPtr instanceof Int32Array ? rowPtr : BigInt64Array.from(rowPtr, BigInt) },
    [`${prefix}shape`]: { data: BigInt64Array.of(BigInt(numRows), BigInt(numCols)) },
  };
}

function denseMember({ numRows, numCols, data }: DenseMatrix): Record<string, NpzContent> {
  return { attr_matrix: { data, shape: [numRows, numCols] } };
}

function idMember(ids: NodeIds | undefined): Record<string, NpzContent> {
  if (ids === undefined || ids.areNumbers) return {};
  const all = Array.from({ length: ids.length }, (_, node) => ids.idOf(node));
  if (ids.areNames) return { node_ids: { texts: all.map(String) } };
  return { node_ids: { data: BigInt64Array.from(all, BigInt) } };
}

/** One split as `train_mask`, …; several as rows of `train_masks`, … */
export function maskMembers(splits: Readonly<Record<string, Split>>, numNodes: number): Record<string, NpzContent> {
  const all = Object.values(splits);
  const members: Record<string, NpzContent> = {};
  for (const set of ["train", "val", "test"] as const) {
    const data = new Uint8Array(all.length * numNodes);
    for (const [row, split] of all.entries()) for (const node of split[set]) data[row * numNodes + node] = 1;
    if (all.length === 1) members[`${set}_mask`] = { data, boolean: true };
    if (all.length > 1) members[`${set}_masks`] = { data, shape: [all.length, numNodes], boolean: true };
  }
  return members;
}
