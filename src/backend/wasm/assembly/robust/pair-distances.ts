// Distances between all pairs of a few rows, and sums of their differences. The caller pads the number of rows to a
// multiple of four, and their columns to whole slabs.
import { transposeFour } from "../dense/transpose";
import { madd } from "../shared/fma";
import { sums4 } from "../shared/vector";

/** Bytes of a matrix with one float per pair of `count` rows. */
export function pairBytes(count: i32): usize {
  return <usize>fours(count) * ((<usize>fours(count)) << 2);
}

/** `count` rounded up to a multiple of four. */
export function fours(count: i32): i32 {
  return (count + 3) & ~3;
}

/** M_jl = ‖x_j − x_l‖ for all pairs of `count` rows of `width` bytes; 0 on the diagonal. */
export function pairDistances(m: usize, rows: usize, count: i32, width: usize): void {
  const stride = (<usize>fours(count)) << 2;
  for (let j: usize = 0; j < stride; j += 16) {
    const xj = rows + (j >> 2) * width;
    for (let l = j; l < stride; l += 16) {
      const xl = rows + (l >> 2) * width;
      const to = m + (j >> 2) * stride + l;
      twoByFour(to, stride, xj, xl, width);
      twoByFour(to + 2 * stride, stride, xj + 2 * width, xl, width);
      if (l > j) {
        const mirror = m + (l >> 2) * stride + j;
        transposeFour(mirror, mirror + stride, mirror + 2 * stride, mirror + 3 * stride, to, stride, 4);
      }
    }
  }
}

/** Distances of two rows to four. */
function twoByFour(to: usize, stride: usize, x: usize, y: usize, width: usize): void {
  let s00 = f32x4.splat(0);
  let s01 = s00;
  let s02 = s00;
  let s03 = s00;
  let s10 = s00;
  let s11 = s00;
  let s12 = s00;
  let s13 = s00;
  const x1 = x + width;
  const y1 = y + width;
  const y2 = y1 + width;
  const y3 = y2 + width;
  for (let at: usize = 0; at < width; at += 16) {
    const a = v128.load(x + at);
    const b = v128.load(x1 + at);
    let c = v128.load(y + at);
    let d = f32x4.sub(a, c);
    let e = f32x4.sub(b, c);
    s00 = madd(d, d, s00);
    s10 = madd(e, e, s10);
    c = v128.load(y1 + at);
    d = f32x4.sub(a, c);
    e = f32x4.sub(b, c);
    s01 = madd(d, d, s01);
    s11 = madd(e, e, s11);
    c = v128.load(y2 + at);
    d = f32x4.sub(a, c);
    e = f32x4.sub(b, c);
    s02 = madd(d, d, s02);
    s12 = madd(e, e, s12);
    c = v128.load(y3 + at);
    d = f32x4.sub(a, c);
    e = f32x4.sub(b, c);
    s03 = madd(d, d, s03);
    s13 = madd(e, e, s13);
  }
  v128.store(to, f32x4.sqrt(sums4(s00, s01, s02, s03)));
  v128.store(to + stride, f32x4.sqrt(sums4(s10, s11, s12, s13)));
}

/** out_j = Σ_l M_jl (x_j − x_l) for `count` rows of `width` bytes and a symmetric M. */
export function weightedDifferences(out: usize, m: usize, rows: usize, count: i32, width: usize): void {
  const stride = (<usize>fours(count)) << 2;
  for (let j: usize = 0; j < stride; j += 16) {
    for (let c: usize = 0; c < width; c += 32) {
      const at = (j >> 2) * width + c;
      differenceTile(out + at, m + j, rows + at, rows + c, stride, width);
      differenceTile(out + at + 2 * width, m + j + 8, rows + at + 2 * width, rows + c, stride, width);
    }
  }
}

/**
 * Two running sums per element, so that an addition need not wait for the one before. M is symmetric: the factors of two
 * neighbouring rows lie side by side in each row of M.
 */
function differenceTile(out: usize, m: usize, own: usize, x: usize, stride: usize, width: usize): void {
  const a0 = v128.load(own);
  const a1 = v128.load(own, 16);
  const b0 = v128.load(own + width);
  const b1 = v128.load(own + width, 16);
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let t0 = s0;
  let t1 = s0;
  let u0 = s0;
  let u1 = s0;
  let v0 = s0;
  let v1 = s0;
  const end = x + (stride >> 2) * width;
  while (x < end) {
    let x0 = v128.load(x);
    let x1 = v128.load(x, 16);
    let w = v128.load32_splat(m);
    s0 = madd(w, f32x4.sub(a0, x0), s0);
    s1 = madd(w, f32x4.sub(a1, x1), s1);
    w = v128.load32_splat(m, 4);
    t0 = madd(w, f32x4.sub(b0, x0), t0);
    t1 = madd(w, f32x4.sub(b1, x1), t1);
    x += width;
    m += stride;
    x0 = v128.load(x);
    x1 = v128.load(x, 16);
    w = v128.load32_splat(m);
    u0 = madd(w, f32x4.sub(a0, x0), u0);
    u1 = madd(w, f32x4.sub(a1, x1), u1);
    w = v128.load32_splat(m, 4);
    v0 = madd(w, f32x4.sub(b0, x0), v0);
    v1 = madd(w, f32x4.sub(b1, x1), v1);
    x += width;
    m += stride;
  }
  v128.store(out, f32x4.add(s0, u0));
  v128.store(out, f32x4.add(s1, u1), 16);
  v128.store(out + width, f32x4.add(t0, v0));
  v128.store(out + width, f32x4.add(t1, v1), 16);
}
