// Sampled dense-dense product, pairs begin … end − 1: one dot product per pair, four pairs at a time so that the loads
// of one hide the latency of another. Sorted pairs share their source, whose row then stays in the first cache.
import { madd } from "../shared/fma";
import { isFar, touchRows } from "../shared/touch-rows";
import { dotRow } from "../shared/vector";

/** If no cache holds Q, rows of targets are touched in bursts, each before its pairs. Rows of sources repeat anyway. */
export function sddmm(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  p: usize,
  q: usize,
  numNodes: i32,
  cols: i32,
  symmetric: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  if (!isFar(numNodes, bytes)) {
    dotPairs(begin, end, out, sources, targets, p, q, bytes, symmetric, accumulate);
    return;
  }
  for (let e = begin; e < end; ) {
    const next = targets + ((<usize>e) << 2);
    const rows = touchRows(q, next, end - e, bytes);
    if (symmetric) touchRows(p, next, end - e, bytes);
    const stop = rows < end - e ? e + (rows & ~3) : end;
    dotPairs(e, stop, out, sources, targets, p, q, bytes, symmetric, accumulate);
    e = stop;
  }
}

/**
 * Pairs in groups of four from the first on. Bursts have a multiple of four pairs, so they do not change the groups.
 */
function dotPairs(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  p: usize,
  q: usize,
  bytes: usize,
  symmetric: i32,
  accumulate: i32,
): void {
  let e = begin;
  for (; e + 4 <= end; e += 4) {
    const at = (<usize>e) << 2;
    const i0 = <usize>load<u32>(sources + at) * bytes;
    const i1 = <usize>load<u32>(sources + at, 4) * bytes;
    const i2 = <usize>load<u32>(sources + at, 8) * bytes;
    const i3 = <usize>load<u32>(sources + at, 12) * bytes;
    const j0 = <usize>load<u32>(targets + at) * bytes;
    const j1 = <usize>load<u32>(targets + at, 4) * bytes;
    const j2 = <usize>load<u32>(targets + at, 8) * bytes;
    const j3 = <usize>load<u32>(targets + at, 12) * bytes;
    let sums: v128;
    if (i0 === i1 && i1 === i2 && i2 === i3) {
      sums = symmetric
        ? symmetricDots4(p + i0, p + j0, p + j1, p + j2, p + j3, q - p, bytes)
        : sharedDots4(p + i0, q + j0, q + j1, q + j2, q + j3, bytes);
    } else {
      sums = dots4(p + i0, p + i1, p + i2, p + i3, q + j0, q + j1, q + j2, q + j3, bytes);
      if (symmetric) {
        sums = f32x4.add(sums, dots4(q + i0, q + i1, q + i2, q + i3, p + j0, p + j1, p + j2, p + j3, bytes));
      }
    }
    v128.store(out + at, accumulate ? f32x4.add(sums, v128.load(out + at)) : sums);
  }
  for (; e < end; e++) {
    const at = (<usize>e) << 2;
    const i = <usize>load<u32>(sources + at) * bytes;
    const j = <usize>load<u32>(targets + at) * bytes;
    let sum = dotRow(p + i, q + j, bytes);
    if (symmetric) sum += dotRow(q + i, p + j, bytes);
    store<f32>(out + at, accumulate ? sum + load<f32>(out + at) : sum);
  }
}

/**
 * ⟨P_i, Q_j⟩ + ⟨Q_i, P_j⟩ for four j, one per lane. The arguments are the rows of P; those of Q lie `toQ` bytes further.
 * One pass over both products: twice as many loads in flight, half as many sums over lanes.
 */
function symmetricDots4(a: usize, b0: usize, b1: usize, b2: usize, b3: usize, toQ: usize, bytes: usize): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  const vectorsEnd = a + (bytes & ~15);
  for (; a < vectorsEnd; a += 16, b0 += 16, b1 += 16, b2 += 16, b3 += 16) {
    const x = v128.load(a);
    const y = v128.load(a + toQ);
    s0 = madd(x, v128.load(b0 + toQ), s0);
    t0 = madd(y, v128.load(b0), t0);
    s1 = madd(x, v128.load(b1 + toQ), s1);
    t1 = madd(y, v128.load(b1), t1);
    s2 = madd(x, v128.load(b2 + toQ), s2);
    t2 = madd(y, v128.load(b2), t2);
    s3 = madd(x, v128.load(b3 + toQ), s3);
    t3 = madd(y, v128.load(b3), t3);
  }
  let sums = laneSums(f32x4.add(s0, t0), f32x4.add(s1, t1), f32x4.add(s2, t2), f32x4.add(s3, t3));
  for (const end = a + (bytes & 15); a < end; a += 4, b0 += 4, b1 += 4, b2 += 4, b3 += 4) {
    const p4 = f32x4(load<f32>(b0), load<f32>(b1), load<f32>(b2), load<f32>(b3));
    const q4 = f32x4(load<f32>(b0 + toQ), load<f32>(b1 + toQ), load<f32>(b2 + toQ), load<f32>(b3 + toQ));
    sums = madd(v128.load32_splat(a), q4, madd(v128.load32_splat(a + toQ), p4, sums));
  }
  return sums;
}

/** Four dot products of one row with four others, one per lane; the row is loaded once for all. */
function sharedDots4(a: usize, b0: usize, b1: usize, b2: usize, b3: usize, bytes: usize): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  const pairsEnd = a + (bytes & ~31);
  for (; a < pairsEnd; a += 32, b0 += 32, b1 += 32, b2 += 32, b3 += 32) {
    const x = v128.load(a);
    const y = v128.load(a, 16);
    s0 = madd(x, v128.load(b0), s0);
    t0 = madd(y, v128.load(b0, 16), t0);
    s1 = madd(x, v128.load(b1), s1);
    t1 = madd(y, v128.load(b1, 16), t1);
    s2 = madd(x, v128.load(b2), s2);
    t2 = madd(y, v128.load(b2, 16), t2);
    s3 = madd(x, v128.load(b3), s3);
    t3 = madd(y, v128.load(b3, 16), t3);
  }
  if (bytes & 16) {
    const x = v128.load(a);
    s0 = madd(x, v128.load(b0), s0);
    s1 = madd(x, v128.load(b1), s1);
    s2 = madd(x, v128.load(b2), s2);
    s3 = madd(x, v128.load(b3), s3);
    a += 16;
    b0 += 16;
    b1 += 16;
    b2 += 16;
    b3 += 16;
  }
  let sums = laneSums(f32x4.add(s0, t0), f32x4.add(s1, t1), f32x4.add(s2, t2), f32x4.add(s3, t3));
  for (const end = a + (bytes & 15); a < end; a += 4, b0 += 4, b1 += 4, b2 += 4, b3 += 4) {
    const b = f32x4(load<f32>(b0), load<f32>(b1), load<f32>(b2), load<f32>(b3));
    sums = madd(v128.load32_splat(a), b, sums);
  }
  return sums;
}

/** Four dot products of `bytes / 4` floats, one per lane. */
function dots4(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  bytes: usize,
): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    s0 = madd(v128.load(a0 + at), v128.load(b0 + at), s0);
    s1 = madd(v128.load(a1 + at), v128.load(b1 + at), s1);
    s2 = madd(v128.load(a2 + at), v128.load(b2 + at), s2);
    s3 = madd(v128.load(a3 + at), v128.load(b3 + at), s3);
  }
  let sums = laneSums(s0, s1, s2, s3);
  for (; at < bytes; at += 4) {
    const a = f32x4(load<f32>(a0 + at), load<f32>(a1 + at), load<f32>(a2 + at), load<f32>(a3 + at));
    const b = f32x4(load<f32>(b0 + at), load<f32>(b1 + at), load<f32>(b2 + at), load<f32>(b3 + at));
    sums = madd(a, b, sums);
  }
  return sums;
}

/** The sum of the lanes of each vector: a transposition that adds on the way. */
function laneSums(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const a = f32x4.add(f32x4.shuffle(s0, s1, 0, 4, 2, 6), f32x4.shuffle(s0, s1, 1, 5, 3, 7));
  const b = f32x4.add(f32x4.shuffle(s2, s3, 0, 4, 2, 6), f32x4.shuffle(s2, s3, 1, 5, 3, 7));
  return f32x4.add(f32x4.shuffle(a, b, 0, 1, 4, 5), f32x4.shuffle(a, b, 2, 3, 6, 7));
}

/** out_e (+)= x_i (ends 1), x_j (ends 2) or both (ends 3). */
export function pairSums(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  x: usize,
  ends: i32,
  accumulate: i32,
): void {
  for (let e = begin; e < end; e++) {
    const at = (<usize>e) << 2;
    let sum: f32 = accumulate ? load<f32>(out + at) : 0;
    if (ends & 1) sum += load<f32>(x + ((<usize>load<u32>(sources + at)) << 2));
    if (ends & 2) sum += load<f32>(x + ((<usize>load<u32>(targets + at)) << 2));
    store<f32>(out + at, sum);
  }
}
