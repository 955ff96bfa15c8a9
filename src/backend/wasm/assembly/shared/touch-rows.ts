// Prefetching by hand: WebAssembly has no prefetch instruction, so rows that are needed soon are read once in advance.

/** Bytes of rows that are touched at once: half of the first cache. */
const AT_ONCE: usize = 16384;

/**
 * Bytes of a matrix from which on touching its rows pays. Measured with a last cache of 32 MiB, which holds most of a
 * smaller matrix.
 */
const FAR: usize = 1 << 24;

/** Bytes of rows for which touching pays: shorter rows share cache lines, and hardware prefetches longer ones. */
const SHORTEST: usize = 64;
const LONGEST: usize = 768;

/** Whether a loop that does little with each of many random rows of X is faster if it touches them ahead. */
export function isFar(rows: i32, bytes: usize): bool {
  return bytes >= SHORTEST && bytes <= LONGEST && <usize>rows * bytes >= FAR;
}

/**
 * Reads a word of each cache line of the rows of X that the first of the `count` columns at `colIdx` name; returns how
 * many rows it read. In a loop of loads alone, many more cache misses overlap than in a loop that also computes.
 */
export function touchRows(x: usize, colIdx: usize, count: i32, bytes: usize): i32 {
  const rows = min(count, max(4, <i32>(AT_ONCE / max(bytes, 4))));
  for (const end = colIdx + ((<usize>rows) << 2); colIdx < end; colIdx += 4) {
    const row = x + <usize>load<u32>(colIdx) * bytes;
    for (let at: usize = 0; at < bytes; at += 64) load<u32>(row + at);
  }
  return rows;
}
