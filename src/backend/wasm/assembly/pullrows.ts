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
    for (; c + 128 <= bytes; c += 128) {
      pull32(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
    for (; c + 16 <= bytes; c += 16) {
      pull4(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
    for (; c < bytes; c += 4) {
      pull1(row + c, own + c, colIdx, terms, g + c, m + c, bytes, first, last, accumulate);
    }
  }
}

/** 32 columns stay in registers while the entries go by, first for G and then for M: few rows are on their way at a time. */
function pull32(
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
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  if (accumulate) {
    s0 = v128.load(row);
    s1 = v128.load(row, 16);
    s2 = v128.load(row, 32);
    s3 = v128.load(row, 48);
    s4 = v128.load(row, 64);
    s5 = v128.load(row, 80);
    s6 = v128.load(row, 96);
    s7 = v128.load(row, 112);
  }
  for (let e = first; e < last; e += 4) {
    const from = g + <usize>load<u32>(colIdx + e) * bytes;
    const w = v128.load32_splat(terms + 2 * e);
    s0 = madd(w, v128.load(from), s0);
    s1 = madd(w, v128.load(from, 16), s1);
    s2 = madd(w, v128.load(from, 32), s2);
    s3 = madd(w, v128.load(from, 48), s3);
    s4 = madd(w, v128.load(from, 64), s4);
    s5 = madd(w, v128.load(from, 80), s5);
    s6 = madd(w, v128.load(from, 96), s6);
    s7 = madd(w, v128.load(from, 112), s7);
  }
  for (let e = first; e < last; e += 4) {
    const from = m + <usize>load<u32>(colIdx + e) * bytes;
    const w = v128.load32_splat(terms + 2 * e, 4);
    s0 = madd(w, f32x4.sub(v128.load(own), v128.load(from)), s0);
    s1 = madd(w, f32x4.sub(v128.load(own, 16), v128.load(from, 16)), s1);
    s2 = madd(w, f32x4.sub(v128.load(own, 32), v128.load(from, 32)), s2);
    s3 = madd(w, f32x4.sub(v128.load(own, 48), v128.load(from, 48)), s3);
    s4 = madd(w, f32x4.sub(v128.load(own, 64), v128.load(from, 64)), s4);
    s5 = madd(w, f32x4.sub(v128.load(own, 80), v128.load(from, 80)), s5);
    s6 = madd(w, f32x4.sub(v128.load(own, 96), v128.load(from, 96)), s6);
    s7 = madd(w, f32x4.sub(v128.load(own, 112), v128.load(from, 112)), s7);
  }
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
  v128.store(row, s4, 64);
  v128.store(row, s5, 80);
  v128.store(row, s6, 96);
  v128.store(row, s7, 112);
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
