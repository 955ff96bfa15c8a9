import { check, ShapeError } from "../core/errors.ts";
import type { Csr } from "../graph/csr.ts";

/**
 * How pushed values p_uv are scaled. `row`: not at all (rows sum to at most 1). `sym`: p_uv·√deg_u / √deg_v, which turns
 * the random-walk version into the symmetric one. `col`: p_uv·deg_u / deg_v.
 */
export type PprNormalisation = "row" | "sym" | "col";

const LEAST_DEGREE = 1e-12;

/** Rows of PageRank for `nodes`, normalised by the degrees of the whole graph. */
export function normaliseRows(
  rows: Csr,
  nodes: ArrayLike<number>,
  degrees: ArrayLike<number>,
  kind: PprNormalisation,
): Csr {
  check(
    rows.numRows === nodes.length,
    () => `normaliseRows: ${rows.numRows} rows of ${nodes.length} nodes`,
    ShapeError,
  );
  if (kind === "row") return rows;
  const degree = (v: number) => Math.max(degrees[v], LEAST_DEGREE);
  const weight = kind === "sym" ? (v: number) => Math.sqrt(degree(v)) : degree;
  return mapValues(rows, (value, i, j) => (value * weight(nodes[i])) / weight(j));
}

/** Every row divided by its sum; rows with sum 0 stay as they are. */
export function divideByRowSums(A: Csr): Csr {
  const sums = new Float64Array(A.numRows);
  mapValues(A, (value, i) => {
    sums[i] += value;
    return value;
  });
  return mapValues(A, (value, i) => value / (sums[i] > 0 ? sums[i] : 1));
}

/**
 * T_ij / √(c_i c_j) with the column sums c of T: the normalisation of a GCN, without adding self loops, because T has a
 * diagonal already. The result is not symmetric.
 */
export function normaliseByColumnSums(T: Csr): Csr {
  const sums = new Float64Array(T.numCols);
  mapValues(T, (value, _, j) => {
    sums[j] += value;
    return value;
  });
  return mapValues(T, (value, i, j) => value / Math.sqrt(sums[i] * sums[j]));
}

function mapValues(A: Csr, f: (value: number, i: number, j: number) => number): Csr {
  const values = new Float32Array(A.colIdx.length);
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) values[e] = f(A.values ? A.values[e] : 1, i, A.colIdx[e]);
  }
  return { ...A, values };
}
