import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, mergeDuplicates } from "../../graph/csr.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { type NumberTable, readNumbers } from "../formats/csv-numbers.ts";

/** Reads edges, one `from,to` per line; duplicates are merged. Without `numNodes`, the largest id says how many there are. */
export async function readEdgeList(source: ByteSource, numNodes?: number): Promise<Csr> {
  return edgeList(await readNumbers(source, { numCols: 2 }), numNodes, source.name);
}

/** The edges of a table of two columns. */
export function edgeList({ data, numRows }: NumberTable, numNodes: number | undefined, where: string): Csr {
  const count = numNodes ?? countNodes(data, numRows, where);
  const rows = new Int32Array(numRows);
  const cols = new Int32Array(numRows);
  for (let e = 0; e < numRows; e++) {
    rows[e] = nodeId(data[2 * e], count, e, where);
    cols[e] = nodeId(data[2 * e + 1], count, e, where);
  }
  return mergeDuplicates(csrFromEntries(count, count, rows, cols));
}

function nodeId(value: number, numNodes: number, edge: number, where: string): number {
  const valid = Number.isInteger(value) && value >= 0 && value < numNodes;
  check(valid, () => `${where}: node ${value} of edge ${edge} must be in 0 … ${numNodes - 1}`, DataError);
  return value;
}

/** The largest id plus one. Ids far beyond the number of edges are a mistake that would cost memory. */
function countNodes(ids: ArrayLike<number>, numEdges: number, where: string): number {
  let largest = 0;
  for (let i = 0; i < ids.length; i++) if (ids[i] > largest) largest = ids[i];
  const most = 16 * numEdges + 1024;
  check(
    largest < most,
    () =>
      `${where}: node ${largest} is far beyond the ${numEdges} edges; give labels or features that say how many nodes there are`,
    DataError,
  );
  return largest + 1;
}

/** The only column of a table, as class ids; NaN is −1, unknown. */
export function labelColumn({ data, numCols, numRows }: NumberTable, where: string): Int32Array {
  check(numCols === 1 || numRows === 0, () => `${where}: must have one column, got ${numCols}`, DataError);
  const labels = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    labels[i] = Number.isNaN(data[i]) ? -1 : data[i];
    check(
      labels[i] === data[i] || Number.isNaN(data[i]),
      () => `${where}: label ${data[i]} of node ${i} must be an integer`,
      DataError,
    );
  }
  return labels;
}

/** The only column of a table, as node ids. */
export function nodeColumn(table: NumberTable, numNodes: number, where: string): Int32Array {
  const nodes = labelColumn(table, where);
  const bad = nodes.findIndex((node) => node < 0 || node >= numNodes);
  check(bad < 0, () => `${where}: node ${nodes[bad]} in line ${bad + 1} must be in 0 … ${numNodes - 1}`, DataError);
  return nodes;
}
