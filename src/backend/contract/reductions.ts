import type { Buffer } from "./storage.ts";

/** Reductions of as many elements as the first input has. Sums are made in fixed chunks, added in order (rule R1). */
export interface Reductions {
  /** out_0 = Σ_e A_e · B_e (B absent: Σ_e A_e). */
  dot(out: Buffer, A: Buffer, B: Buffer | null): void;
  /** out_0 = max_e X_e, −∞ if there is none. */
  max(out: Buffer, X: Buffer): void;
  /** out_0 = number of equal elements of two i32 buffers, as f32. */
  countEqual(out: Buffer, A: Buffer, B: Buffer): void;
  /** Indices of the k = out.length ≤ X.length largest values, in descending order, the lower index first on ties. */
  topK(out: Buffer, X: Buffer): void;
}
