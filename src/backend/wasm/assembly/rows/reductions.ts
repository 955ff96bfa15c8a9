// Reductions in fixed chunks: begin … end − 1 count chunks, each chunk writes its own partial result, and the caller adds
// the partial results in order. So the bits do not depend on which thread did which chunk (rule R1).
import { madd } from "../shared/fma";
import { max4, sum4wide } from "../shared/vector";

const CHUNK: i32 = 16384;
/** Bytes of a run of 256 elements. Runs are summed in single precision, and their sums in double precision. */
const RUN: usize = 256 * 4;

/** partial_c = Σ A_e · B_e over chunk c, in double precision; B = 0 stands for ones. */
export function dotChunks(begin: i32, end: i32, partial: usize, a: usize, b: usize, length: i32): void {
  for (let chunk = begin; chunk < end; chunk++) {
    let at = (<usize>(chunk * CHUNK)) << 2;
    const last = (<usize>min(length, (chunk + 1) * CHUNK)) << 2;
    let sum: f64 = 0;
    while (at < last) {
      const stop = min(last, at + RUN);
      let s0 = f32x4.splat(0);
      let s1 = f32x4.splat(0);
      if (b) {
        for (; at + 32 <= stop; at += 32) {
          s0 = madd(v128.load(a + at), v128.load(b + at), s0);
          s1 = madd(v128.load(a + at, 16), v128.load(b + at, 16), s1);
        }
        for (; at < stop; at += 4) sum += <f64>load<f32>(a + at) * <f64>load<f32>(b + at);
      } else {
        for (; at + 32 <= stop; at += 32) {
          s0 = f32x4.add(v128.load(a + at), s0);
          s1 = f32x4.add(v128.load(a + at, 16), s1);
        }
        for (; at < stop; at += 4) sum += <f64>load<f32>(a + at);
      }
      sum += sum4wide(s0) + sum4wide(s1);
    }
    store<f64>(partial + ((<usize>chunk) << 3), sum);
  }
}

/** partial_c = the largest element of chunk c. */
export function maxChunks(begin: i32, end: i32, partial: usize, x: usize, length: i32): void {
  for (let chunk = begin; chunk < end; chunk++) {
    let at = (<usize>(chunk * CHUNK)) << 2;
    const last = (<usize>min(length, (chunk + 1) * CHUNK)) << 2;
    let top4 = f32x4.splat(-Infinity);
    for (; at + 16 <= last; at += 16) top4 = f32x4.max(top4, v128.load(x + at));
    let top = max4(top4);
    for (; at < last; at += 4) top = max(top, load<f32>(x + at));
    store<f64>(partial + ((<usize>chunk) << 3), top);
  }
}

/** partial_c = number of equal integers in chunk c. */
export function countEqualChunks(begin: i32, end: i32, partial: usize, a: usize, b: usize, length: i32): void {
  for (let chunk = begin; chunk < end; chunk++) {
    const last = min(length, (chunk + 1) * CHUNK);
    let count = 0;
    for (let e = chunk * CHUNK; e < last; e++) {
      count += i32(load<i32>(a + ((<usize>e) << 2)) === load<i32>(b + ((<usize>e) << 2)));
    }
    store<f64>(partial + ((<usize>chunk) << 3), count);
  }
}

/** partial_c,j = Σ A_ij · B_ij over the rows of chunk c (`chunkRows` each), as rows of `stride` bytes of floats. */
export function colDotChunks(
  begin: i32,
  end: i32,
  partial: usize,
  stride: usize,
  a: usize,
  b: usize,
  rows: i32,
  cols: i32,
  chunkRows: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let chunk = begin; chunk < end; chunk++) {
    const out = partial + <usize>chunk * stride;
    for (let at: usize = 0; at < stride; at += 16) v128.store(out + at, f32x4.splat(0));
    const last = min(rows, (chunk + 1) * chunkRows);
    for (let i = chunk * chunkRows; i < last; i++) {
      const row = <usize>i * bytes;
      if (b) addProducts(out, a + row, b + row, bytes);
      else addValues(out, a + row, bytes);
    }
  }
}

function addProducts(out: usize, a: usize, b: usize, bytes: usize): void {
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    v128.store(out + at, madd(v128.load(a + at), v128.load(b + at), v128.load(out + at)));
  }
  for (; at < bytes; at += 4) store<f32>(out + at, load<f32>(out + at) + load<f32>(a + at) * load<f32>(b + at));
}

function addValues(out: usize, a: usize, bytes: usize): void {
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(out + at, f32x4.add(v128.load(a + at), v128.load(out + at)));
  for (; at < bytes; at += 4) store<f32>(out + at, load<f32>(out + at) + load<f32>(a + at));
}

/** out_j = Σ_c partial_c,j for columns begin … end − 1, in the order of c, in double precision. */
export function sumPartials(begin: i32, end: i32, out: usize, partial: usize, stride: usize, chunks: i32): void {
  for (let j = begin; j < end; j++) {
    let sum: f64 = 0;
    let from = partial + ((<usize>j) << 2);
    for (let chunk = 0; chunk < chunks; chunk++, from += stride) sum += load<f32>(from);
    store<f32>(out + ((<usize>j) << 2), <f32>sum);
  }
}
