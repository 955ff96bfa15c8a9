// The gradient of Soft Median by the features, rows begin … end − 1 of the transposed pattern.
import { madd } from "./fma";

/** dX_j (+)= Σ_e direct_e G_i + pull_e (X_j − M_i), with direct and pull side by side in `terms`. */
export function pullRows(
  begin: i32,
  end: i32,
  dx: usize,
  rowPtr: usize,
  colIdx: usize,
  terms: usize,
  g: usize,
  m: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let j = begin; j < end; j++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>j) << 2))) << 2;
    const last = (<usize>load<u32>(rowPtr + ((<usize>j) << 2), 4)) << 2;
    const row = dx + <usize>j * bytes;
    const own = x + <usize>j * bytes;
    let c: usize = 0;
    for (; c + 64 <= bytes; c += 64) {
      pull16(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
    for (; c + 16 <= bytes; c += 16) {
      pull4(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
    for (; c < bytes; c += 4) {
      pull1(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
  }
}

/** Sixteen columns stay in registers while the entries go by: few instructions per entry, so many are on their way. */
function pull16(
  row: usize,
  own: usize,
  colIdx: usize,
  terms: usize,
  g: usize,
  m: usize,
  bytes: usize,
  first: usize,
  last: usize,
  accumulate: i32,
): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  if (accumulate) {
    s0 = v128.load(row);
    s1 = v128.load(row, 16);
    s2 = v128.load(row, 32);
    s3 = v128.load(row, 48);
  }
  const x0 = v128.load(own);
  const x1 = v128.load(own, 16);
  const x2 = v128.load(own, 32);
  const x3 = v128.load(own, 48);
  for (let e = first; e < last; e += 4) {
    const i = <usize>load<u32>(colIdx + e) * bytes;
    const a = v128.load32_splat(terms + 2 * e);
    const b = v128.load32_splat(terms + 2 * e, 4);
    s0 = madd(b, f32x4.sub(x0, v128.load(m + i)), madd(a, v128.load(g + i), s0));
    s1 = madd(b, f32x4.sub(x1, v128.load(m + i, 16)), madd(a, v128.load(g + i, 16), s1));
    s2 = madd(b, f32x4.sub(x2, v128.load(m + i, 32)), madd(a, v128.load(g + i, 32), s2));
    s3 = madd(b, f32x4.sub(x3, v128.load(m + i, 48)), madd(a, v128.load(g + i, 48), s3));
  }
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
}

function pull4(
  row: usize,
  own: usize,
  colIdx: usize,
  terms: usize,
  g: usize,
  m: usize,
  bytes: usize,
  first: usize,
  last: usize,
  accumulate: i32,
): void {
  let sum = accumulate ? v128.load(row) : f32x4.splat(0);
  const x = v128.load(own);
  for (let e = first; e < last; e += 4) {
    const i = <usize>load<u32>(colIdx + e) * bytes;
    const near = madd(v128.load32_splat(terms + 2 * e), v128.load(g + i), sum);
    sum = madd(v128.load32_splat(terms + 2 * e, 4), f32x4.sub(x, v128.load(m + i)), near);
  }
  v128.store(row, sum);
}

function pull1(
  row: usize,
  own: usize,
  colIdx: usize,
  terms: usize,
  g: usize,
  m: usize,
  bytes: usize,
  first: usize,
  last: usize,
  accumulate: i32,
): void {
  let sum: f32 = accumulate ? load<f32>(row) : 0;
  const x = load<f32>(own);
  for (let e = first; e < last; e += 4) {
    const i = <usize>load<u32>(colIdx + e) * bytes;
    sum += load<f32>(terms + 2 * e) * load<f32>(g + i);
    sum += load<f32>(terms + 2 * e, 4) * (x - load<f32>(m + i));
  }
  store<f32>(row, sum);
}

/** out_{at_ic, c} += X_ic for all rows i in order, but only columns begin … end − 1: the columns are what threads share out. */
export function scatterAddEntries(begin: i32, end: i32, out: usize, x: usize, at: usize, rows: i32, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  const first = (<usize>begin) << 2;
  const last = (<usize>end) << 2;
  for (let i = 0; i < rows; i++) {
    const row = <usize>i * bytes;
    for (let c = first; c < last; c += 4) {
      const to = load<i32>(at + row + c);
      if (to < 0) continue;
      const place = out + <usize>to * bytes + c;
      store<f32>(place, load<f32>(place) + load<f32>(x + row + c));
    }
  }
}
