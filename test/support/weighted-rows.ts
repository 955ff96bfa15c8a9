import type { Backend } from "../../src/backend/backend.ts";
import { Rng } from "../../src/core/rng.ts";
import { csrFromEntries } from "../../src/graph/csr.ts";
import { SparseMatrix } from "../../src/tensor/sparse-matrix.ts";

/** A matrix from rows of numbers; zeros are not stored. */
export function matrixOf(backend: Backend, rows: readonly (readonly number[])[]): SparseMatrix {
  const entries = rows.flatMap((row, i) => row.map((value, j) => ({ i, j, value }))).filter(({ value }) => value !== 0);
  const is = entries.map(({ i }) => i);
  const js = entries.map(({ j }) => j);
  const values = entries.map(({ value }) => value);
  return SparseMatrix.upload(backend, csrFromEntries(rows.length, rows[0]?.length ?? 0, is, js, values));
}

/** Rows in which each of `numCols` neighbours has a weight in [0.1, 1) with probability `p`. */
export function randomWeights(numRows: number, numCols: number, p: number, seed: number): number[][] {
  const rng = new Rng(seed);
  return Array.from({ length: numRows }, () =>
    Array.from({ length: numCols }, () => (rng.uniform() < p ? 0.1 + 0.9 * rng.uniform() : 0)),
  );
}
