import { check } from "../core/errors.ts";
import { Rng } from "../core/rng.ts";
import { type Csr, transpose } from "../graph/csr.ts";
import { tridiagonalEigen } from "./tridiagonal-eigen.ts";

/** The r largest singular values and their vectors, as rows of length numRows and numCols. */
export interface TruncatedSvd {
  readonly singularValues: Float64Array;
  readonly left: readonly Float64Array[];
  readonly right: readonly Float64Array[];
}

/** Steps per singular value before the first check of convergence; half as many before each further check. */
const STEPS = 3;
/** Residual allowed per singular pair, relative to the largest singular value. The values themselves are far closer. */
const TOLERANCE = 1e-7;

/**
 * Truncated singular value decomposition of a sparse matrix by Lanczos bidiagonalisation (Golub and Kahan 1965) with full
 * reorthogonalisation in float64: A·right_k = Σ_l B_lk left_l, B upper bidiagonal, whose singular values converge to
 * those of A from the top. Needs the product with A and one vector of each side per step; nothing is ever n × n.
 */
export function truncatedSvd(A: Csr, rank: number, seed = 0): TruncatedSvd {
  const most = Math.min(A.numRows, A.numCols);
  check(Number.isInteger(rank) && rank >= 1, () => `truncatedSvd: the rank must be a whole number, got ${rank}`);
  const lanczos = new Bidiagonalisation(A, seed);
  for (let steps = STEPS * rank; ; steps += Math.ceil((STEPS * rank) / 2)) {
    lanczos.extend(Math.min(most, steps));
    const { singularValues, U, V } = lanczos.singularPairs();
    const size = Math.min(rank, singularValues.length);
    const isExact = lanczos.size === most;
    let error = 0;
    for (let k = 0; k < size; k++) error = Math.max(error, Math.abs(lanczos.rest * U[k][lanczos.size - 1]));
    if (!isExact && error > TOLERANCE * singularValues[0]) continue;
    return {
      singularValues: singularValues.slice(0, size),
      left: U.slice(0, size).map((weights) => combine(lanczos.left, weights)),
      right: V.slice(0, size).map((weights) => combine(lanczos.right, weights)),
    };
  }
}

class Bidiagonalisation {
  readonly left: Float64Array[] = [];
  readonly right: Float64Array[] = [];
  /** Length of the residual that the next step starts from: 0 if the span of the vectors so far is invariant. */
  rest = 0;
  private residual: Float64Array = new Float64Array(0);
  private readonly alphas: number[] = [];
  private readonly betas: number[] = [];
  private readonly A: Csr;
  private readonly At: Csr;
  private readonly rng: Rng;

  constructor(A: Csr, seed: number) {
    this.A = A;
    this.At = transpose(A);
    this.rng = new Rng(seed);
  }

  get size(): number {
    return this.left.length;
  }

  extend(size: number): void {
    while (this.size < size) {
      const k = this.size;
      const isInvariant = this.rest <= tiny(this.alphas); // at the start, or once the span is invariant
      if (k > 0) this.betas.push(isInvariant ? 0 : this.rest);
      const v = isInvariant ? this.fresh(this.A.numCols, this.right) : scaled(this.residual, 1 / this.rest);
      this.right.push(v);
      const u = multiply(this.A, v);
      if (k > 0) subtract(u, this.betas[k - 1], this.left[k - 1]);
      reorthogonalise(u, this.left);
      const alpha = norm(u);
      const isNull = alpha <= tiny(this.alphas);
      this.alphas.push(isNull ? 0 : alpha);
      this.left.push(isNull ? this.fresh(this.A.numRows, this.left) : scaled(u, 1 / alpha));
      this.residual = multiply(this.At, this.left[k]);
      subtract(this.residual, this.alphas[k], v);
      reorthogonalise(this.residual, this.right);
      this.rest = norm(this.residual);
    }
  }

  /** Singular values and vectors of B, which has the alphas on its diagonal and the betas above it. */
  singularPairs(): { singularValues: Float64Array; U: Float64Array[]; V: readonly Float64Array[] } {
    const { alphas, betas } = this;
    const { values, vectors } = tridiagonalEigen(
      alphas.map((alpha, k) => alpha ** 2 + (k > 0 ? betas[k - 1] ** 2 : 0)), // BᵀB
      betas.map((beta, k) => alphas[k] * beta),
    );
    const singularValues = values.map((value) => Math.sqrt(Math.max(value, 0)));
    const U = vectors.map((v, k) =>
      v.map((x, l) =>
        singularValues[k] > 0 ? (alphas[l] * x + (betas[l] ?? 0) * (v[l + 1] ?? 0)) / singularValues[k] : 0,
      ),
    );
    return { singularValues, U, V: vectors };
  }

  /** A random unit vector at right angles to `others`. */
  private fresh(length: number, others: readonly Float64Array[]): Float64Array {
    const x = Float64Array.from({ length }, () => this.rng.normal());
    reorthogonalise(x, others);
    return scaled(x, 1 / (norm(x) || 1));
  }
}

function tiny(alphas: readonly number[]): number {
  return 1e-12 * alphas.reduce((top, alpha) => Math.max(top, alpha), 0);
}

function multiply({ numRows, rowPtr, colIdx, values }: Csr, x: Float64Array): Float64Array {
  const y = new Float64Array(numRows);
  for (let i = 0; i < numRows; i++) {
    let sum = 0;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += (values ? values[e] : 1) * x[colIdx[e]];
    y[i] = sum;
  }
  return y;
}

/** Two passes are enough: the second removes what rounding left after the first. */
function reorthogonalise(x: Float64Array, basis: readonly Float64Array[]): void {
  for (let pass = 0; pass < 2; pass++) for (const b of basis) subtract(x, dot(x, b), b);
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] -= factor * y[i];
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

function norm(x: Float64Array): number {
  return Math.sqrt(dot(x, x));
}

function scaled(x: Float64Array, factor: number): Float64Array {
  return x.map((value) => factor * value);
}

function combine(basis: readonly Float64Array[], weights: Float64Array): Float64Array {
  const out = new Float64Array(basis[0].length);
  for (const [k, b] of basis.entries()) subtract(out, -weights[k], b);
  return out;
}
