import type { Buffer, CsrBuffers, PairBuffers } from "../backend.ts";
import { pairArrays } from "./pairs.ts";
import { floats, type Storage } from "./storage.ts";

/** The pairs above the floor as a sparse matrix with values sign · weight, both directions if undirected. */
export function activeMatrix(
  storage: Storage,
  pairs: PairBuffers,
  signs: Buffer,
  weights: Buffer,
  floor: number,
): CsrBuffers {
  const { sources, targets } = pairArrays("activeMatrix", pairs);
  const sign = floats("activeMatrix", "signs", signs, pairs.length);
  const weight = floats("activeMatrix", "weights", weights, pairs.length);
  const entries: { row: number; col: number; value: number }[] = [];
  for (let e = 0; e < pairs.length; e++) {
    if (weight[e] <= floor) continue;
    const i = sources[e];
    const j = targets[e];
    const value = sign[e] * weight[e];
    entries.push({ row: i, col: j, value });
    if (!pairs.directed) entries.push({ row: j, col: i, value });
  }
  entries.sort((a, b) => a.row - b.row || a.col - b.col);

  const rowPtr = new Int32Array(pairs.numNodes + 1);
  for (const { row } of entries) rowPtr[row + 1]++;
  for (let i = 0; i < pairs.numNodes; i++) rowPtr[i + 1] += rowPtr[i];
  return {
    numRows: pairs.numNodes,
    numCols: pairs.numNodes,
    rowPtr: storage.upload(rowPtr),
    colIdx: storage.upload(Int32Array.from(entries, (entry) => entry.col)),
    values: storage.upload(Float64Array.from(entries, (entry) => entry.value)),
  };
}
