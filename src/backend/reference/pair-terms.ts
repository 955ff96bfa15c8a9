import type { Buffer, PairBuffers, PairTerms, PairTermsOptions } from "../backend.ts";
import { pairArrays, pairSums } from "./pairs.ts";
import { sddmm } from "./sddmm.ts";
import { floats } from "./storage.ts";

/** Adds up the terms one by one, then multiplies by the signs. */
export function pairTerms(
  out: Buffer,
  pairs: PairBuffers,
  { products, sums }: PairTerms,
  { signs = null, accumulate = false }: PairTermsOptions = {},
): void {
  pairArrays("pairTerms", pairs);
  const y = floats("pairTerms", "out", out, pairs.length);
  if (!accumulate) y.fill(0, 0, pairs.length);
  for (const { P, Q, cols } of products) {
    sddmm({ out, pairs, P, Q, cols, symmetric: !pairs.directed, accumulate: true });
  }
  for (const { x, ends } of sums) pairSums({ out, pairs, x, ends, accumulate: true });
  if (!signs) return;
  const sign = floats("pairTerms", "signs", signs, pairs.length);
  for (let e = 0; e < pairs.length; e++) y[e] *= sign[e];
}
