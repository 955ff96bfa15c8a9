import { expect } from "vitest";
import type { Csr } from "../../src/graph/csr.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";

/** A sparse matrix as rows of numbers, with its own values or with these. */
export function denseOf(S: Csr, values: ArrayLike<number> | null = S.values): number[][] {
  const { numRows, numCols, rowPtr, colIdx } = S;
  const rows = Array.from({ length: numRows }, () => new Array<number>(numCols).fill(0));
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) rows[i][colIdx[e]] = values ? values[e] : 1;
  }
  return rows;
}

/** A·B of two dense matrices. */
export function product(A: readonly number[][], B: readonly number[][]): number[][] {
  return A.map((row) => (B[0] ?? []).map((_, c) => row.reduce((sum, a, k) => sum + a * B[k][c], 0)));
}

export function transposed(A: readonly number[][]): number[][] {
  return (A[0] ?? []).map((_, c) => A.map((row) => row[c]));
}

/** The values of a tensor as a plain array. */
export async function valuesOf(X: Tensor): Promise<number[]> {
  return [...(await X.read())];
}

/** The values of a matrix as rows. */
export async function rowsOf(X: Tensor): Promise<number[][]> {
  const [rows, cols] = X.shape as [number, number];
  const values = await valuesOf(X);
  return Array.from({ length: rows }, (_, i) => values.slice(i * cols, (i + 1) * cols));
}

/** Equal up to rounding in float64. */
export async function expectValues(X: Tensor, expected: readonly number[], tolerance = 1e-9): Promise<void> {
  const actual = await valuesOf(X);
  expect(actual.length).toBe(expected.length);
  for (const [e, value] of expected.entries()) {
    expect(Math.abs(actual[e] - value), `entry ${e}: ${actual[e]} against ${value}`).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    );
  }
}
