// What Soft Median's gradient is added up from: rows of a matrix, or the way from them to another row, times one number per
// entry. A few columns of the result stay in registers while the entries go by.
import { madd } from "./fma";

/** dX_j (+)= Σ_e term_e Y_i, or Σ_e term_e (X_j − Y_i) where x is not 0; `terms` has room for two numbers per entry. */
export function pullRows(
  begin: i32,
  end: i32,
  dx: usize,
  rowPtr: usize,
  colIdx: usize,
  terms: usize,
  y: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let j = begin; j < end; j++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>j) << 2))) << 2;
    const count = ((<usize>load<u32>(rowPtr + ((<usize>j) << 2), 4)) << 2) - first;
    const row = dx + <usize>j * bytes;
    if (!accumulate) memory.fill(row, 0, bytes);
    if (x) pullRow(row, x + <usize>j * bytes, colIdx + first, terms + 2 * first, y, bytes, count);
    else addRow(row, colIdx + first, terms + 2 * first, y, bytes, count);
  }
}

/** row += Σ_e term_e Y_e over the entries at offsets 0 … count − 4. */
function addRow(row: usize, colIdx: usize, terms: usize, y: usize, bytes: usize, count: usize): void {
  let c: usize = 0;
  for (; c + 128 <= bytes; c += 128) add32(row + c, colIdx, terms, y + c, bytes, count);
  for (; c + 16 <= bytes; c += 16) {
    let sum = v128.load(row + c);
    for (let e: usize = 0; e < count; e += 4) {
      const from = y + c + <usize>load<u32>(colIdx + e) * bytes;
      sum = madd(v128.load32_splat(terms + 2 * e), v128.load(from), sum);
    }
    v128.store(row + c, sum);
  }
  for (; c < bytes; c += 4) {
    let sum = load<f32>(row + c);
    for (let e: usize = 0; e < count; e += 4) {
      sum += load<f32>(terms + 2 * e) * load<f32>(y + c + <usize>load<u32>(colIdx + e) * bytes);
    }
    store<f32>(row + c, sum);
  }
}

function add32(row: usize, colIdx: usize, terms: usize, y: usize, bytes: usize, count: usize): void {
  let s0 = v128.load(row);
  let s1 = v128.load(row, 16);
  let s2 = v128.load(row, 32);
  let s3 = v128.load(row, 48);
  let s4 = v128.load(row, 64);
  let s5 = v128.load(row, 80);
  let s6 = v128.load(row, 96);
  let s7 = v128.load(row, 112);
  for (let e: usize = 0; e < count; e += 4) {
    const from = y + <usize>load<u32>(colIdx + e) * bytes;
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
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
  v128.store(row, s4, 64);
  v128.store(row, s5, 80);
  v128.store(row, s6, 96);
  v128.store(row, s7, 112);
}

/** row += Σ_e term_e (own − Y_e). The difference is taken before the product: rows may be close to each other and far from 0. */
export function pullRow(
  row: usize,
  own: usize,
  colIdx: usize,
  terms: usize,
  y: usize,
  bytes: usize,
  count: usize,
): void {
  let c: usize = 0;
  for (; c + 64 <= bytes; c += 64) pull16(row + c, own + c, colIdx, terms, y + c, bytes, count);
  for (; c + 16 <= bytes; c += 16) {
    const x = v128.load(own + c);
    let sum = v128.load(row + c);
    for (let e: usize = 0; e < count; e += 4) {
      const from = y + c + <usize>load<u32>(colIdx + e) * bytes;
      sum = madd(v128.load32_splat(terms + 2 * e), f32x4.sub(x, v128.load(from)), sum);
    }
    v128.store(row + c, sum);
  }
  for (; c < bytes; c += 4) {
    const x = load<f32>(own + c);
    let sum = load<f32>(row + c);
    for (let e: usize = 0; e < count; e += 4) {
      sum += load<f32>(terms + 2 * e) * (x - load<f32>(y + c + <usize>load<u32>(colIdx + e) * bytes));
    }
    store<f32>(row + c, sum);
  }
}

function pull16(row: usize, own: usize, colIdx: usize, terms: usize, y: usize, bytes: usize, count: usize): void {
  const x0 = v128.load(own);
  const x1 = v128.load(own, 16);
  const x2 = v128.load(own, 32);
  const x3 = v128.load(own, 48);
  let s0 = v128.load(row);
  let s1 = v128.load(row, 16);
  let s2 = v128.load(row, 32);
  let s3 = v128.load(row, 48);
  for (let e: usize = 0; e < count; e += 4) {
    const from = y + <usize>load<u32>(colIdx + e) * bytes;
    const w = v128.load32_splat(terms + 2 * e);
    s0 = madd(w, f32x4.sub(x0, v128.load(from)), s0);
    s1 = madd(w, f32x4.sub(x1, v128.load(from, 16)), s1);
    s2 = madd(w, f32x4.sub(x2, v128.load(from, 32)), s2);
    s3 = madd(w, f32x4.sub(x3, v128.load(from, 48)), s3);
  }
  v128.store(row, s0);
  v128.store(row, s1, 16);
  v128.store(row, s2, 32);
  v128.store(row, s3, 48);
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
