// Sums of weighted differences between one row and others, such as the gradient by a median.
import { madd } from "../shared/fma";

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
