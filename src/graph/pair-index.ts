import { check } from "../core/errors.ts";

/**
 * The number of a node pair among all pairs, in row-major order: undirected pairs are the upper triangle (i < j),
 * directed ones the whole matrix without its diagonal, so that column j > i is stored at j − 1.
 *
 * BigInt throughout, because doubles stop being exact above 134 million nodes. `pairAt` takes a floating-point square
 * root only as a first guess and finds the exact row by comparing integers.
 */

/** Number of pairs of `n` nodes. */
export function pairCount(n: number, directed: boolean): bigint {
  const N = BigInt(n);
  return directed ? N * (N - 1n) : (N * (N - 1n)) / 2n;
}

/** Index of the pair (i, j); undirected pairs must have i < j. */
export function pairIndex(n: number, directed: boolean, i: number, j: number): bigint {
  check(
    i >= 0 && j >= 0 && i < n && j < n && (directed ? i !== j : i < j),
    () => `pairIndex: (${i}, ${j}) is not ${directed ? "a directed" : "an undirected"} pair of ${n} nodes`,
  );
  if (directed) return BigInt(i) * BigInt(n - 1) + BigInt(j > i ? j - 1 : j);
  return pairCount(n, false) - triangle(BigInt(n - 1 - i)) + BigInt(j - i - 1);
}

/** The pair (i, j) that has this index. */
export function pairAt(n: number, directed: boolean, index: bigint): [number, number] {
  const count = pairCount(n, directed);
  check(index >= 0n && index < count, () => `pairAt: index ${index} must be in 0 … ${count - 1n} for ${n} nodes`);
  if (directed) {
    const width = BigInt(n - 1);
    const i = Number(index / width);
    const place = Number(index % width);
    return [i, place < i ? place : place + 1];
  }
  const left = count - index; // pairs from this one to the end of the triangle
  const length = rowLength(left);
  const i = n - 1 - Number(length);
  return [i, i + 1 + Number(triangle(length) - left)];
}

/**
 * Length r of the row of the pair that has `left` pairs from it to the end: the smallest r with r (r + 1) / 2 ≥ left.
 */
function rowLength(left: bigint): bigint {
  let r = BigInt(Math.floor(Math.sqrt(2 * Number(left))));
  while (triangle(r) < left) r++;
  while (triangle(r - 1n) >= left) r--;
  return r;
}

/** Pairs in the last r rows of an upper triangle. */
function triangle(r: bigint): bigint {
  return (r * (r + 1n)) / 2n;
}
