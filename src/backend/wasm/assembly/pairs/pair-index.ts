// The number of a node pair among all pairs, as graph/pair-index.ts defines it, in exact 64-bit integers.

/** The 64-bit number with these 32-bit halves. */
export function fromHalves(lo: u32, hi: u32): u64 {
  return ((<u64>hi) << 32) | <u64>lo;
}

function triangle(r: u64): u64 {
  return (r * (r + 1)) >> 1;
}

export function pairCount(n: u64, directed: i32): u64 {
  return directed ? n * (n - 1) : (n * (n - 1)) >> 1;
}

/** The row of the pair with this index: guessed by a square root, then corrected in integers. */
export function rowOf(n: u64, directed: i32, index: u64): u64 {
  if (directed) return index / (n - 1);
  const left = pairCount(n, 0) - index;
  let r = <u64>Math.sqrt(2 * <f64>left);
  while (triangle(r) < left) r++;
  while (triangle(r - 1) >= left) r--;
  return n - 1 - r;
}

/** Index of the first pair of row i. */
export function rowStart(n: u64, directed: i32, i: u64): u64 {
  return directed ? i * (n - 1) : pairCount(n, 0) - triangle(n - 1 - i);
}
