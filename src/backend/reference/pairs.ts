import { findEntry } from "../../graph/csr.ts";
import type { Buffer, CsrBuffers, PairBuffers, PairSumsArguments } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";

/** The arrays of a block of pairs, once their lengths are checked. */
export function pairArrays(kernel: string, pairs: PairBuffers) {
  const sources = ints(kernel, "pairs.sources", pairs.sources, pairs.length);
  const targets = ints(kernel, "pairs.targets", pairs.targets, pairs.length);
  return { sources, targets };
}

/** out_e = x_i, x_j or x_i + x_j of pair e. */
export function pairSums({ out, pairs, x, ends, accumulate = false, signs = null }: PairSumsArguments): void {
  const { sources, targets } = pairArrays("pairSums", pairs);
  const sign = signs && floats("pairSums", "signs", signs, pairs.length);
  const y = floats("pairSums", "out", out, pairs.length);
  const values = floats("pairSums", "x", x, pairs.numNodes);
  for (let e = 0; e < pairs.length; e++) {
    let sum = accumulate ? y[e] : 0;
    if (ends !== "target") sum += values[sources[e]];
    if (ends !== "source") sum += values[targets[e]];
    y[e] = sum * (sign ? sign[e] : 1);
  }
}

/** out_e = −1 if S stores entry (source_e, target_e), else +1; with `turn`, times the old out_e. */
export function pairSigns(out: Buffer, pairs: PairBuffers, S: CsrBuffers, turn = false): void {
  const { sources, targets } = pairArrays("pairSigns", pairs);
  const { rowPtr, colIdx } = csrArrays("pairSigns", S);
  const y = floats("pairSigns", "out", out, pairs.length);
  const A = { numRows: S.numRows, numCols: S.numCols, rowPtr, colIdx, values: null };
  for (let e = 0; e < pairs.length; e++) {
    const sign = findEntry(A, sources[e], targets[e]) >= 0 ? -1 : 1;
    y[e] = turn ? sign * y[e] : sign;
  }
}
