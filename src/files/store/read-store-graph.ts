import { join } from "node:path";
import { check, MemoryError } from "../../core/errors.ts";
import type { RawGraph } from "../../data/raw-graph.ts";
import type { Split } from "../../data/splits.ts";
import { allocRowPtr, type Csr } from "../../graph/csr.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import { readWhole } from "../file-source.ts";
import { CsrFiles } from "./csr-files.ts";
import { openStore } from "./open-store.ts";
import { readFeatureRows } from "./read-feature-rows.ts";
import { readStoreHeader } from "./read-store-header.ts";
import type { StoreHeader } from "./store-header.ts";
import { readStoreIds } from "./store-ids.ts";

/** Loads a whole store into memory, for everything that does not read a store row by row. */
export function readStoreGraph(folder: string): RawGraph {
  const header = readStoreHeader(folder);
  checkMemory(folder, header);
  const { name, numNodes, numClasses, directed, classes } = header;
  const ids = readStoreIds(folder, header);
  const store = openStore(folder, { access: "read" }); // checks the sizes of its parts
  try {
    const splits: [string, Split][] = header.splits.map((split) => [split, store.split(split)]);
    return {
      name,
      where: folder,
      adjacency: readAdjacency(folder, header),
      features: readFeatures(folder, header),
      labels: readLabels(folder, header),
      ...(classes ? { classes } : { numClasses }),
      ...(!ids.areNumbers && { ids: ids.idsOf(Array.from({ length: numNodes }, (_, node) => node)) }),
      directed,
      allComponents: true,
      splits: Object.fromEntries(splits),
    };
  } finally {
    store.close();
  }
}

/** Throws if the graph does not fit into memory. Otherwise the system would end the process. */
function checkMemory(folder: string, { numNodes, numEntries, numFeatures }: StoreHeader): void {
  const needed = 4 * (numNodes * (numFeatures + 3) + numEntries);
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

function readAdjacency(folder: string, { numNodes, numEntries, parts }: StoreHeader): Csr {
  const files = new CsrFiles(join(folder, parts.rowPointers.file), join(folder, parts.columns.file));
  try {
    const { rowPtr, columns } = files.block(0, numNodes);
    const pointers = allocRowPtr(numNodes, numEntries);
    pointers.set(rowPtr);
    return { numRows: numNodes, numCols: numNodes, rowPtr: pointers, colIdx: columns, values: null };
  } finally {
    files.close();
  }
}

const ROWS = 4096;

function readFeatures(folder: string, header: StoreHeader): DenseMatrix {
  const { numNodes, numFeatures } = header;
  const data = new Float32Array(numNodes * numFeatures);
  for (const { begin, rows } of readFeatureRows(folder, header, 0, ROWS)) data.set(rows, begin * numFeatures);
  return { numRows: numNodes, numCols: numFeatures, data };
}

function readLabels(folder: string, { parts }: StoreHeader): Int32Array {
  const bytes = readWhole(join(folder, parts.labels.file));
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
