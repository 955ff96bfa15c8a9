import { type Graph, isSparse } from "../../graph/graph.ts";
import type { NodeIds } from "../node-ids.ts";
import type { Split } from "../splits.ts";
import type { GraphContext } from "./graph-context.ts";
import { formatTorchFile, type TensorContent } from "./torch-file.ts";

/** A graph as the tensors that PyTorch Geometric's `Data` takes: `Data(**torch.load(file))`. Masks have a column per split. */
export function formatTorchGraph(graph: Graph, { ids, splits = {} }: GraphContext): Uint8Array {
  const { numNodes, numFeatures, numEntries, adjacency, labels } = graph;
  const edges = new BigInt64Array(2 * numEntries);
  for (let i = 0; i < numNodes; i++) edges.fill(BigInt(i), adjacency.rowPtr[i], adjacency.rowPtr[i + 1]);
  for (let e = 0; e < numEntries; e++) edges[numEntries + e] = BigInt(adjacency.colIdx[e]);
  return formatTorchFile({
    x: { data: denseFeatures(graph), shape: [numNodes, numFeatures] },
    edge_index: { data: edges, shape: [2, numEntries] },
    y: { data: BigInt64Array.from(labels, BigInt), shape: [numNodes] },
    ...idTensor(ids),
    ...masks(Object.values(splits), numNodes),
  });
}

/** Ids that are numbers; a tensor cannot hold names. */
function idTensor(ids: NodeIds | undefined): Record<string, TensorContent> {
  if (ids === undefined || ids.areNumbers || ids.areNames) return {};
  const data = BigInt64Array.from({ length: ids.length }, (_, node) => BigInt(ids.idOf(node)));
  return { node_ids: { data, shape: [ids.length] } };
}

function denseFeatures({ features, numNodes, numFeatures }: Graph): Float32Array {
  if (!isSparse(features)) return features.data;
  const data = new Float32Array(numNodes * numFeatures);
  for (let i = 0; i < numNodes; i++) {
    for (let e = features.rowPtr[i]; e < features.rowPtr[i + 1]; e++) {
      data[i * numFeatures + features.colIdx[e]] = features.values?.[e] ?? 1;
    }
  }
  return data;
}

function masks(splits: readonly Split[], numNodes: number): Record<string, TensorContent> {
  const count = splits.length;
  const found: Record<string, TensorContent> = {};
  if (count === 0) return found;
  for (const set of ["train", "val", "test"] as const) {
    const data = new Uint8Array(numNodes * count);
    for (const [k, split] of splits.entries()) for (const node of split[set]) data[node * count + k] = 1;
    found[`${set}_mask`] = { data, shape: count === 1 ? [numNodes] : [numNodes, count] };
  }
  return found;
}
