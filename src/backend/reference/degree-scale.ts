import type { Backend } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats } from "./storage.ts";

/** out_i = f(1 + Σ_j (A_ij + B_ij)), and 0 where that sum is 0. */
export const degreeScale: Backend["degreeScale"] = (out, { A, B }, f) => {
  const y = floats("degreeScale", "out", out, A.numRows);
  const matrices = (B ? [A, B] : [A]).map((S) => csrArrays("degreeScale", S));
  for (let i = 0; i < A.numRows; i++) {
    let sum = 1;
    for (const { rowPtr, values } of matrices) {
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += values ? values[e] : 1;
    }
    y[i] = sum === 0 ? 0 : 1 / (f === "rsqrt" ? Math.sqrt(sum) : sum);
  }
};
