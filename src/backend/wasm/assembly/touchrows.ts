// Rows that will be needed soon.

/**
 * Reads a word of each cache line of the rows of X named by the columns from `colIdx` to `end`, so that they are on their way
 * while something else is computed. WebAssembly has no prefetch; a load whose result nobody waits for does the same.
 */
export function touchRows(x: usize, colIdx: usize, end: usize, bytes: usize): void {
  for (; colIdx < end; colIdx += 4) {
    const row = x + <usize>load<u32>(colIdx) * bytes;
    for (let at: usize = 0; at < bytes; at += 64) load<u32>(row + at);
  }
}
