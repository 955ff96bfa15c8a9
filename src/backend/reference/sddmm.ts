import type { SddmmArguments } from "../backend.ts";
import { pairArrays } from "./pairs.ts";
import { sides } from "./scale.ts";
import { floats } from "./storage.ts";

/** out_e = ⟨P_i, Q_j⟩ (+ ⟨P_j, Q_i⟩ if symmetric) for pair e = (i, j). */
export function sddmm({ out, pairs, P, Q, cols, symmetric = false, accumulate = false, scale }: SddmmArguments): void {
  const { sources, targets } = pairArrays("sddmm", pairs);
  const y = floats("sddmm", "out", out, pairs.length);
  const p = floats("sddmm", "P", P, pairs.numNodes * cols);
  const q = floats("sddmm", "Q", Q, pairs.numNodes * cols);
  const [left, right] = sides("sddmm", scale, pairs.numNodes);
  const inner = (i: number, j: number) => {
    let sum = 0;
    for (let c = 0; c < cols; c++) sum += p[i * cols + c] * q[j * cols + c];
    return left(i) * right(j) * sum;
  };
  for (let e = 0; e < pairs.length; e++) {
    const i = sources[e];
    const j = targets[e];
    y[e] = inner(i, j) + (symmetric ? inner(j, i) : 0) + (accumulate ? y[e] : 0);
  }
}
