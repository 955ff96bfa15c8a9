/** Rows that are read side by side: a cache line of every column that is written, and few pages at a time. */
const ROWS: i32 = 16;

/** out_ci = X_ic for columns begin … end − 1. */
export function transpose(begin: i32, end: i32, out: usize, x: usize, rows: i32, cols: i32): void {
  const across = (<usize>cols) << 2;
  const down = (<usize>rows) << 2;
  for (let first = 0; first < rows; first += ROWS) {
    const last = min(rows, first + ROWS);
    for (let c = begin; c < end; c++) {
      let from = x + <usize>first * across + ((<usize>c) << 2);
      const stop = out + <usize>c * down + ((<usize>last) << 2);
      for (let to = out + <usize>c * down + ((<usize>first) << 2); to < stop; to += 4) {
        store<f32>(to, load<f32>(from));
        from += across;
      }
    }
  }
}
