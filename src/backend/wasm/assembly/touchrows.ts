// Rows that are needed now, and may be far away.

/** Bytes of rows that are touched at once: half of the first cache. */
const AT_ONCE: usize = 16384;

/**
 * Reads a word of each cache line of the first rows of X that the `count` columns at `colIdx` name, and returns how many rows it
 * was. Loads that nothing else stands between are on their way all together, many more of them than in a loop that also
 * computes; WebAssembly has no prefetch.
 */
export function touchRows(x: usize, colIdx: usize, count: i32, bytes: usize): i32 {
  const rows = min(count, max(4, <i32>(AT_ONCE / max(bytes, 4))));
  for (const end = colIdx + ((<usize>rows) << 2); colIdx < end; colIdx += 4) {
    const row = x + <usize>load<u32>(colIdx) * bytes;
    for (let at: usize = 0; at < bytes; at += 64) load<u32>(row + at);
  }
  return rows;
}
