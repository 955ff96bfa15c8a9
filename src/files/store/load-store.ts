import { join } from "node:path";
import { check, MemoryError } from "../../core/errors.ts";
import type { LoadedGraph } from "../../data/preprocess.ts";
import { allocRowPtr, type Csr } from "../../graph/csr.ts";
import { checkGraph, type DenseMatrix, Graph } from "../../graph/graph.ts";
import type { LoadOptions } from "../load.ts";
import { CsrFiles } from "./csr-files.ts";
import { type GraphStore, openStore } from "./open-store.ts";
import { readFeatureRows } from "./read-feature-rows.ts";
import { storeClasses, storeName } from "./store-facts.ts";
import type { StoreHeader } from "./store-header.ts";
import { readStoreIds } from "./store-ids.ts";

/** Options that a graph was prepared with when its store was made, and their flags. */
const PREPARED = {
  directed: "--directed",
  binaryFeatures: "binaryFeatures",
  ignoreWeights: "--ignore-weights",
  adjacency: "--adjacency",
} as const;

/** Rows that are read at once. */
const ROWS = 2 ** 16;

/** Reads all of a store into memory, if it fits. The graph is as it was prepared when the store was made, with all of its nodes. */
export function loadStore(folder: string, options: LoadOptions = {}): LoadedGraph {
  checkPrepared(folder, options);
  const store = openStore(folder, { access: "read" });
  try {
    const { header } = store;
    checkFits(folder, header);
    const graph = new Graph({
      name: storeName(folder, header),
      adjacency: readAdjacency(store),
      features: readFeatures(store),
      labels: store.allLabels(),
      numClasses: header.numClasses,
      directed: header.directed,
    });
    return {
      graph: checkGraph(graph),
      ids: readStoreIds(folder, header),
      classes: storeClasses(header),
      dropped: { nodes: 0, edges: 0, selfLoops: 0, zeros: 0, weights: 0 },
      notes: [],
      splits: Object.fromEntries(header.splits.map((name) => [name, store.split(name)])),
    };
  } finally {
    store.close();
  }
}

/** Throws if a store is asked for in another way than it was prepared. */
export function checkPrepared(folder: string, options: LoadOptions): void {
  const wrong = Object.entries(PREPARED).find(([name]) => options[name as keyof typeof PREPARED]);
  check(wrong === undefined, () => `${folder}: a graph store is used as it was made; leave out ${wrong?.[1]}`);
}

/** Bytes of the graph of a store in memory. */
function bytesInMemory({ numNodes, numEntries, numFeatures }: StoreHeader): number {
  const rowPtr = (numEntries < 2 ** 31 ? 4 : 8) * (numNodes + 1);
  return rowPtr + 4 * numEntries + 4 * numNodes * numFeatures + 4 * numNodes;
}

function checkFits(folder: string, header: StoreHeader): void {
  const needed = bytesInMemory(header);
  const free = process.availableMemory();
  check(
    needed < free,
    () =>
      `${folder}: the whole graph takes ${gibibytes(needed)} in memory, and there are ${gibibytes(free)}; ` +
      "pprgo and soft-median-pprgo read a store row by row",
    MemoryError,
  );
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 30 ? 3 : 1)} GiB`;
}

function readAdjacency({ folder, header }: GraphStore): Csr {
  const { numNodes, numEntries, parts } = header;
  const files = new CsrFiles(join(folder, parts["rowPointers"].file), join(folder, parts["columns"].file));
  const rowPtr = allocRowPtr(numNodes, numEntries);
  const colIdx = new Int32Array(numEntries);
  try {
    for (let begin = 0; begin < numNodes; begin += ROWS) {
      const block = files.block(begin, Math.min(numNodes, begin + ROWS));
      const before = rowPtr[begin];
      for (let row = begin; row < block.end; row++) rowPtr[row + 1] = before + block.rowPtr[row - begin + 1];
      colIdx.set(block.columns, before);
    }
  } finally {
    files.close();
  }
  return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values: null };
}

function readFeatures({ folder, header }: GraphStore): DenseMatrix {
  const { numNodes, numFeatures } = header;
  const data = new Float32Array(numNodes * numFeatures);
  const count = Math.max(1, Math.floor(2 ** 22 / Math.max(1, numFeatures)));
  for (const { begin, rows } of readFeatureRows(folder, header, 0, count)) data.set(rows, begin * numFeatures);
  return { numRows: numNodes, numCols: numFeatures, data };
}
