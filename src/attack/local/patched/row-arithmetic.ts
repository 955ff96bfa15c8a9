import type { Values } from "../../../tensor/index.ts";

// Arithmetic on rows of matrices in host memory. All matrices of a run have one type of array, so that these loops compile to
// one piece of machine code each.

/** Room for a matrix, in the same type of array as `like`. */
export function allocLike(like: Values, length: number): Values {
  return like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}

/** Y_a += factor · X_b, where rows begin at these places. */
export function addScaledRow(
  [Y, a]: readonly [Values, number],
  factor: number,
  [X, b]: readonly [Values, number],
  width: number,
): void {
  for (let c = 0; c < width; c++) Y[a + c] += factor * X[b + c];
}

/** ⟨A_a, B_b⟩, where rows begin at these places. */
export function dotRows(A: Values, a: number, B: Values, b: number, width: number): number {
  let first = 0; // several sums, because each addition would wait for the one before
  let second = 0;
  let third = 0;
  let fourth = 0;
  const whole = width - (width % 4);
  for (let c = 0; c < whole; c += 4) {
    first += A[a + c] * B[b + c];
    second += A[a + c + 1] * B[b + c + 1];
    third += A[a + c + 2] * B[b + c + 2];
    fourth += A[a + c + 3] * B[b + c + 3];
  }
  for (let c = whole; c < width; c++) first += A[a + c] * B[b + c];
  return first + second + (third + fourth);
}
