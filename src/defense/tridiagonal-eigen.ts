import { check } from "../core/errors.ts";

/** Eigenvalues in descending order; row k of `vectors` belongs to the k-th. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: readonly Float64Array[];
}

/** Far more than ever needed per eigenvalue. */
const MAX_ROTATIONS = 100;

/**
 * Eigenvalues and vectors of a symmetric tridiagonal matrix by implicit QL steps with Wilkinson's shift: each step chases
 * a rotation from the bottom to the top, until the entries beside the diagonal vanish one by one.
 */
export function tridiagonalEigen(diagonal: ArrayLike<number>, beside: ArrayLike<number>): Eigen {
  const m = diagonal.length;
  const d = Float64Array.from(diagonal);
  const e = Float64Array.from({ length: m }, (_, k) => (k + 1 < m ? beside[k] : 0));
  const vectors = Array.from({ length: m }, (_, k) => Float64Array.from({ length: m }, (_, l) => (k === l ? 1 : 0)));
  for (let k = 0; k < m; k++) {
    for (let rotations = 0; ; rotations++) {
      const end = firstNegligible(d, e, k);
      if (end === k) break;
      check(rotations < MAX_ROTATIONS, () => "tridiagonalEigen: no convergence; are all entries finite?");
      chase(d, e, vectors, k, end);
    }
  }
  const order = Array.from(d.keys()).sort((a, b) => d[b] - d[a]);
  return { values: Float64Array.from(order, (k) => d[k]), vectors: order.map((k) => vectors[k]) };
}

/** The first row from k on where the entry beside the diagonal is negligible: the matrix splits there. */
function firstNegligible(d: Float64Array, e: Float64Array, k: number): number {
  let end = k;
  for (; end + 1 < d.length; end++) {
    const scale = Math.abs(d[end]) + Math.abs(d[end + 1]);
    if (Math.abs(e[end]) <= Number.EPSILON * scale) break;
  }
  return end;
}

/** One implicit QL step on rows k … end. */
function chase(d: Float64Array, e: Float64Array, vectors: readonly Float64Array[], k: number, end: number): void {
  const half = (d[k + 1] - d[k]) / (2 * e[k]);
  const root = Math.hypot(half, 1);
  let bulge = d[end] - d[k] + e[k] / (half + (half >= 0 ? root : -root)); // d_end minus the shift
  let sine = 1;
  let cosine = 1;
  let moved = 0;
  for (let i = end - 1; i >= k; i--) {
    const f = sine * e[i];
    const b = cosine * e[i];
    const length = Math.hypot(f, bulge);
    e[i + 1] = length;
    if (length === 0) {
      d[i + 1] -= moved; // the matrix split in two on the way
      e[end] = 0;
      return;
    }
    sine = f / length;
    cosine = bulge / length;
    const base = d[i + 1] - moved;
    const turned = (d[i] - base) * sine + 2 * cosine * b;
    moved = sine * turned;
    d[i + 1] = base + moved;
    bulge = cosine * turned - b;
    rotate(vectors[i + 1], vectors[i], cosine, sine);
  }
  d[k] -= moved;
  e[k] = bulge;
  e[end] = 0;
}

/** (x, y) ← (cx + sy, cy − sx). */
function rotate(x: Float64Array, y: Float64Array, cosine: number, sine: number): void {
  for (let l = 0; l < x.length; l++) {
    const a = x[l];
    const b = y[l];
    x[l] = cosine * a + sine * b;
    y[l] = cosine * b - sine * a;
  }
}
