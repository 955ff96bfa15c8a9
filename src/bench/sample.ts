import type { Backend, Buffer } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";

const TOLERANCE = 1e-4;

/** Runs a small problem on the reference and returns its result. */
export async function onReference(
  length: number,
  run: (reference: Backend, out: Buffer) => void,
): Promise<ArrayLike<number>> {
  const reference = createReference();
  const out = reference.alloc("f32", length);
  run(reference, out);
  return reference.read(out);
}

/** What is wrong with `actual`, in words, or null. The tolerance is relative to the largest expected magnitude. */
export function differs(actual: ArrayLike<number>, expected: ArrayLike<number>): string | null {
  const size = Array.from(expected).reduce((top, value) => Math.max(top, Math.abs(value)), 1e-30);
  for (let e = 0; e < expected.length; e++) {
    if (!(Math.abs(actual[e] - expected[e]) <= TOLERANCE * size)) {
      return `sample ${e} is ${actual[e]} instead of ${expected[e]}`;
    }
  }
  return null;
}

/** Ends a benchmark with a wrong result. */
export function failIf(complaint: string | null): void {
  if (complaint) throw new Error(`bench: ${complaint}`);
}

/** `count` numbers below `bound`, evenly spread, both ends included. */
export function spread(count: number, bound: number): number[] {
  const last = Math.min(count, bound) - 1;
  return Array.from({ length: last + 1 }, (_, t) => (last === 0 ? 0 : Math.floor((t * (bound - 1)) / last)));
}

/** The chosen rows of a matrix, one after the other. */
export function chosenRows(X: Float32Array, rows: ArrayLike<number>, cols: number): Float32Array {
  const chosen = new Float32Array(rows.length * cols);
  for (let t = 0; t < rows.length; t++) chosen.set(X.subarray(rows[t] * cols, (rows[t] + 1) * cols), t * cols);
  return chosen;
}

/** The chosen columns of a matrix. */
export function chosenCols(X: Float32Array, rows: number, cols: number, chosen: readonly number[]): Float32Array {
  const out = new Float32Array(rows * chosen.length);
  for (let i = 0; i < rows; i++) for (const [t, c] of chosen.entries()) out[i * chosen.length + t] = X[i * cols + c];
  return out;
}
