import type { GraphContext } from "../../data/writers/graph-context.ts";
import { type Graph, isSparse } from "../../graph/graph.ts";
import { selectRows } from "../../graph/select-rows.ts";
import { appendFeatures, checkFeatures, encodeFeatures, type FeatureType } from "./feature-encoding.ts";
import { pointersAfter } from "./row-pointers.ts";
import { appendIds, appendSplit } from "./store-parts.ts";
import { type StoreWriter, writeStore } from "./store-writer.ts";

/** Options of {@link writeGraphStore}. */
export interface GraphStoreOptions extends GraphContext {
  /** Default f32. */
  readonly features?: FeatureType;
}

/** Rows of features that are encoded at once. */
const ROWS = 1024;

/**
 * Writes a graph that is in memory as a graph store, which `openStore` reads row by row.
 *
 * @example
 * await writeGraphStore(graph, "cora_ml.store", { features: "f16" });
 */
export async function writeGraphStore(graph: Graph, folder: string, options: GraphStoreOptions = {}): Promise<void> {
  const { features: type = "f32", ids, classes, splits = {} } = options;
  const { name, numNodes, numEntries, numFeatures, numClasses, directed } = graph;
  const task = { graph: name, numNodes, numEntries, features: type };
  await writeStore(folder, task, {}, async (writer) => {
    writer.part("rowPointers", "u64").append(pointersAfter(graph.adjacency.rowPtr, 0));
    writer.part("columns", "i32").append(graph.adjacency.colIdx);
    writeFeatures(writer, graph, type);
    writer.part("labels", "i32").append(graph.labels);
    for (const [split, nodes] of Object.entries(splits)) appendSplit(writer, split, nodes);
    if (ids) appendIds(writer, ids);
    const counts = { name, numNodes, numEntries, numFeatures, numClasses, directed };
    return { ...counts, splits: Object.keys(splits), ...(classes && { classes }) };
  });
}

function writeFeatures(writer: StoreWriter, { name, features, numNodes }: Graph, type: FeatureType): void {
  const numFeatures = features.numCols;
  for (let begin = 0; begin < numNodes; begin += ROWS) {
    const end = Math.min(begin + ROWS, numNodes);
    const nodes = Int32Array.from({ length: end - begin }, (_, k) => begin + k);
    const rows = denseRows(selectRows(features, nodes));
    checkFeatures(rows, { numFeatures, type, firstNode: begin, where: name });
    appendFeatures(writer, encodeFeatures(rows, numFeatures, type), type);
  }
}

function denseRows(features: Graph["features"]): Float32Array {
  if (!isSparse(features)) return features.data;
  const { numRows, numCols, rowPtr, colIdx, values } = features;
  const dense = new Float32Array(numRows * numCols);
  for (let row = 0; row < numRows; row++) {
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) dense[row * numCols + colIdx[e]] = values?.[e] ?? 1;
  }
  return dense;
}
