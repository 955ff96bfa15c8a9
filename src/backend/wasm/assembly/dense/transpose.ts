/** Rows of X that are read side by side: a cache line of every row that is written. */
const ROWS: i32 = 16;

/** out_ci = X_ic for columns begin … end − 1. */
export function transpose(begin: i32, end: i32, out: usize, x: usize, rows: i32, cols: i32): void {
  const across = (<usize>cols) << 2;
  const down = (<usize>rows) << 2;
  for (let first = 0; first < rows; first += ROWS) {
    const count = min(ROWS, rows - first);
    let from = x + <usize>first * across + ((<usize>begin) << 2);
    let to = out + <usize>begin * down + ((<usize>first) << 2);
    let c = begin;
    for (; c + 4 <= end; c += 4, from += 16, to += 4 * down) {
      transposeFour(to, to + down, to + 2 * down, to + 3 * down, from, across, count);
    }
    for (; c < end; c++, from += 4, to += down) {
      for (let i = 0; i < count; i++) store<f32>(to + ((<usize>i) << 2), load<f32>(from + <usize>i * across));
    }
  }
}

/** Four columns of `count` rows at `x`, which lie `across` bytes apart, as four rows. */
export function transposeFour(y0: usize, y1: usize, y2: usize, y3: usize, x: usize, across: usize, count: i32): void {
  let i = 0;
  for (; i + 4 <= count; i += 4, x += 4 * across, y0 += 16, y1 += 16, y2 += 16, y3 += 16) {
    const a = v128.load(x);
    const b = v128.load(x + across);
    const c = v128.load(x + 2 * across);
    const d = v128.load(x + 3 * across);
    const ab = i32x4.shuffle(a, b, 0, 4, 1, 5);
    const cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
    const AB = i32x4.shuffle(a, b, 2, 6, 3, 7);
    const CD = i32x4.shuffle(c, d, 2, 6, 3, 7);
    v128.store(y0, i32x4.shuffle(ab, cd, 0, 1, 4, 5));
    v128.store(y1, i32x4.shuffle(ab, cd, 2, 3, 6, 7));
    v128.store(y2, i32x4.shuffle(AB, CD, 0, 1, 4, 5));
    v128.store(y3, i32x4.shuffle(AB, CD, 2, 3, 6, 7));
  }
  for (; i < count; i++, x += across, y0 += 4, y1 += 4, y2 += 4, y3 += 4) {
    store<f32>(y0, load<f32>(x));
    store<f32>(y1, load<f32>(x, 4));
    store<f32>(y2, load<f32>(x, 8));
    store<f32>(y3, load<f32>(x, 12));
  }
}
