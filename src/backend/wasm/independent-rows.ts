import type { HostSum } from "../sum-rows.ts";

/** Rows of PageRank that an iteration must find, and how the others follow from them. */
export interface RowPlan {
  readonly solved: Int32Array;
  /** Row i of PageRank is `own_i` at column i plus the combination of solved rows that this names; empty where solved. */
  readonly combined: HostSum;
  /** 0 where a row is solved. */
  readonly own: Float32Array;
}

/**
 * Row i of (I − ρÂ)Π = αI says Π_i = (α e_i + ρ Σ_{c ≠ i} Â_ic Π_c) / (1 − ρÂ_ii). So of a set of nodes without edges between
 * them no row needs an iteration: each follows from the rows of its neighbours. In a citation graph that is half of all
 * nodes. The set is chosen greedily, nodes with few neighbours first.
 */
export function planRows(S: HostSum, degrees: ArrayLike<number>, alpha: number): RowPlan {
  const n = S.rowPtr.length - 1;
  const isCombined = independentSet(S);
  const rowPtr = new Int32Array(n + 1);
  const [colIdx, values] = [new Int32Array(S.colIdx.length), new Float64Array(S.colIdx.length)];
  const own = new Float32Array(n);
  let to = 0;
  for (let i = 0; i < n; i++) {
    if (isCombined[i]) {
      let loop = 0;
      for (let e = S.rowPtr[i]!; e < S.rowPtr[i + 1]!; e++) if (S.colIdx[e] === i) loop += S.values[e]!;
      const scale = 1 / (1 - ((1 - alpha) * loop) / degrees[i]!);
      own[i] = alpha * scale;
      for (let e = S.rowPtr[i]!; e < S.rowPtr[i + 1]!; e++) {
        const c = S.colIdx[e]!;
        if (c === i) continue;
        colIdx[to] = c;
        values[to] = ((1 - alpha) * scale * S.values[e]!) / Math.sqrt(degrees[i]! * degrees[c]!);
        to++;
      }
    }
    rowPtr[i + 1] = to;
  }
  const solved = Int32Array.from({ length: n }, (_, i) => i).filter((i) => !isCombined[i]);
  return { solved, combined: { rowPtr, colIdx: colIdx.subarray(0, to), values: values.subarray(0, to) }, own };
}

function independentSet({ rowPtr, colIdx }: HostSum): Uint8Array {
  const n = rowPtr.length - 1;
  const order = Int32Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => rowPtr[a + 1]! - rowPtr[a]! - (rowPtr[b + 1]! - rowPtr[b]!) || a - b);
  const [chosen, excluded] = [new Uint8Array(n), new Uint8Array(n)];
  for (const i of order) {
    if (excluded[i]) continue;
    chosen[i] = 1;
    for (let e = rowPtr[i]!; e < rowPtr[i + 1]!; e++) excluded[colIdx[e]!] = 1;
  }
  return chosen;
}
