import { Rng } from "../core/rng.ts";

/** A sparse matrix on the host, every stored entry 1. */
export interface HostMatrix {
  readonly numNodes: number;
  readonly rowPtr: Int32Array;
  readonly colIdx: Int32Array;
}

/**
 * About `entries` entries with power-law row lengths (the longest some thousands of times the shortest) in uniformly
 * random columns. There is no locality for a cache to exploit, so the gather ceiling gives a fair floor.
 */
export function skewedMatrix(numNodes: number, entries: number, seed: number): HostMatrix {
  const rng = new Rng(seed);
  const weights = Float64Array.from({ length: numNodes }, () => (rng.uniform() + 1e-5) ** -0.7);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rowPtr = new Int32Array(numNodes + 1);
  let carried = 0; // rounding errors are carried on, so that the total comes out
  for (let i = 0; i < numNodes; i++) {
    carried += (weights[i] * entries) / total;
    rowPtr[i + 1] = Math.round(carried);
  }
  const colIdx = Int32Array.from({ length: rowPtr[numNodes] }, () => rng.integer(numNodes));
  for (let i = 0; i < numNodes; i++) colIdx.subarray(rowPtr[i], rowPtr[i + 1]).sort();
  return { numNodes, rowPtr, colIdx };
}

/** The row of each entry. */
export function entryRows({ numNodes, rowPtr }: HostMatrix): Int32Array {
  const rows = new Int32Array(rowPtr[numNodes]);
  for (let i = 0; i < numNodes; i++) rows.fill(i, rowPtr[i], rowPtr[i + 1]);
  return rows;
}
