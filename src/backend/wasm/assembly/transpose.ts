/** out_ci = X_ic for columns begin … end − 1: each line of X is read whole, and every column is written in order. */
export function transpose(begin: i32, end: i32, out: usize, x: usize, rows: i32, cols: i32): void {
  const across = (<usize>cols) << 2;
  const down = (<usize>rows) << 2;
  for (let i: usize = 0; i < down; i += 4) {
    let from = x + (i >> 2) * across + ((<usize>begin) << 2);
    let to = out + <usize>begin * down + i;
    for (let c = begin; c < end; c++) {
      store<f32>(to, load<f32>(from));
      from += 4;
      to += down;
    }
  }
}
