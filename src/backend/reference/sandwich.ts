import type { Buffer, CsrBuffers, PairBuffers } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { pairArrays } from "./pairs.ts";
import { floats } from "./storage.ts";

/** out_e = M_ij + M_ji for pair e = (i, j) and M = P·K·Pᵀ, and twice the diagonal of M. */
export function sandwich(out: Buffer, diagonal: Buffer, pairs: PairBuffers, P: CsrBuffers, K: CsrBuffers): void {
  const { sources, targets } = pairArrays("sandwich", pairs);
  const p = csrArrays("sandwich", P);
  const k = csrArrays("sandwich", K);
  const y = floats("sandwich", "out", out, pairs.length);
  const d = floats("sandwich", "diagonal", diagonal, P.numRows);
  const inner = (i: number, j: number) => {
    const row = new Float64Array(P.numCols); // P_i·K
    for (let e = p.rowPtr[i]; e < p.rowPtr[i + 1]; e++) {
      const l = p.colIdx[e];
      for (let f = k.rowPtr[l]; f < k.rowPtr[l + 1]; f++) {
        row[k.colIdx[f]] += (p.values ? p.values[e] : 1) * (k.values ? k.values[f] : 1);
      }
    }
    let sum = 0;
    for (let e = p.rowPtr[j]; e < p.rowPtr[j + 1]; e++) sum += row[p.colIdx[e]] * (p.values ? p.values[e] : 1);
    return sum;
  };
  for (let e = 0; e < pairs.length; e++) {
    y[e] = inner(sources[e], targets[e]) + inner(targets[e], sources[e]);
  }
  for (let i = 0; i < P.numRows; i++) d[i] = 2 * inner(i, i);
}
