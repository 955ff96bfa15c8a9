// Symmetric sampled products of many pairs and few nodes: ⟨P_i, Q_j⟩ + ⟨Q_i, P_j⟩ from rows of P and Q packed side by side, all
// factors one behind the other and padded by zeros to whole vectors. Targets are visited by blocks of `step` rows, which stay in the second cache.
import { madd } from "../shared/fma";
import { scratch } from "../shared/scratch";

/** Bytes of a run in the list of runs: its source, its next pair, and its end. */
const RUN: usize = 12;

/**
 * Bytes of a part of packed rows in the list of parts: address of the matrix it is copied from (0: none), columns, byte
 * offset in a packed row, and the value of all its elements if there is no matrix.
 */
const PART: usize = 16;

/** Writes packed rows begin … end − 1, of `stride` bytes, part by part: the rows of a chunk stay in a cache. */
export function packRows(begin: i32, end: i32, packed: usize, stride: usize, parts: usize, count: i32): void {
  for (let part = parts; part < parts + <usize>count * PART; part += PART) {
    const from = load<usize>(part);
    const cols = load<i32>(part, 4);
    const to = packed + load<usize>(part, 8);
    if (from) packColumns(begin, end, to, stride, from, cols);
    else fillColumns(begin, end, to, stride, <f32>load<i32>(part, 12), cols);
  }
}

/** Copies the rows of a matrix of `cols` columns. */
function packColumns(begin: i32, end: i32, to: usize, stride: usize, from: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = <usize>begin; i < <usize>end; i++) {
    const row = to + i * stride;
    const x = from + i * bytes;
    let at: usize = 0;
    for (; at + 16 <= bytes; at += 16) v128.store(row + at, v128.load(x + at));
    for (; at < bytes; at += 4) store<f32>(row + at, load<f32>(x + at));
  }
}

/** Fills `cols` columns with one value. */
function fillColumns(begin: i32, end: i32, to: usize, stride: usize, value: f32, cols: i32): void {
  for (let i = <usize>begin; i < <usize>end; i++) {
    for (let c = 0; c < cols; c++) store<f32>(to + i * stride + ((<usize>c) << 2), value);
  }
}

/** Products of pairs begin … end − 1, times signs unless `signs` is 0. Any order is right; ascending order is fast. */
export function sddmmPacked(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  packed: usize,
  n: i32,
  half: usize,
  step: i32,
  signs: usize,
  accumulate: i32,
): void {
  const runs = listRuns(begin, end, sources);
  for (let first = 0; first < n; first += step) {
    const stop = first + step < n ? first + step : i32.MAX_VALUE;
    for (let run = scratch; run < runs; run += RUN) {
      let e = load<i32>(run, 4);
      const last = load<i32>(run, 8);
      const row = packed + 2 * <usize>load<i32>(run) * half;
      for (; e + 4 <= last; e += 4) {
        const at = (<usize>e) << 2;
        const j = v128.load(targets + at);
        if (!i32x4.all_true(i32x4.lt_s(j, i32x4.splat(stop)))) break;
        let sums = dots4(row, packed, j, half);
        if (accumulate) sums = f32x4.add(sums, v128.load(out + at));
        v128.store(out + at, signs ? f32x4.mul(sums, v128.load(signs + at)) : sums);
      }
      for (; e < last; e++) {
        const at = (<usize>e) << 2;
        const j = load<i32>(targets + at);
        if (j >= stop) break;
        let sum = dot(row, packed + 2 * <usize>j * half, half);
        if (accumulate) sum += load<f32>(out + at);
        store<f32>(out + at, signs ? sum * load<f32>(signs + at) : sum);
      }
      store<i32>(run, e, 4);
    }
  }
}

/** Runs of pairs with one source, in scratch storage; returns where their list ends. */
function listRuns(begin: i32, end: i32, sources: usize): usize {
  let to = scratch;
  let e = begin;
  while (e < end) {
    const source = load<i32>(sources + ((<usize>e) << 2));
    store<i32>(to, source);
    store<i32>(to, e, 4);
    const same = i32x4.splat(source);
    while (e + 4 <= end && i32x4.all_true(i32x4.eq(v128.load(sources + ((<usize>e) << 2)), same))) e += 4;
    while (e < end && load<i32>(sources + ((<usize>e) << 2)) === source) e++;
    store<i32>(to, e, 8);
    to += RUN;
  }
  return to;
}

/** One source with four targets, one per lane, in the same order of additions as {@link dot}. */
function dots4(a: usize, packed: usize, j: v128, half: usize): v128 {
  let b0 = packed + 2 * <usize>i32x4.extract_lane(j, 0) * half;
  let b1 = packed + 2 * <usize>i32x4.extract_lane(j, 1) * half;
  let b2 = packed + 2 * <usize>i32x4.extract_lane(j, 2) * half;
  let b3 = packed + 2 * <usize>i32x4.extract_lane(j, 3) * half;
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  for (const stop = a + half; a < stop; a += 16, b0 += 16, b1 += 16, b2 += 16, b3 += 16) {
    const x = v128.load(a);
    const y = v128.load(a + half);
    s0 = madd(x, v128.load(b0 + half), s0);
    t0 = madd(y, v128.load(b0), t0);
    s1 = madd(x, v128.load(b1 + half), s1);
    t1 = madd(y, v128.load(b1), t1);
    s2 = madd(x, v128.load(b2 + half), s2);
    t2 = madd(y, v128.load(b2), t2);
    s3 = madd(x, v128.load(b3 + half), s3);
    t3 = madd(y, v128.load(b3), t3);
  }
  s0 = f32x4.add(s0, t0);
  s1 = f32x4.add(s1, t1);
  s2 = f32x4.add(s2, t2);
  s3 = f32x4.add(s3, t3);
  const u = f32x4.add(f32x4.shuffle(s0, s1, 0, 4, 2, 6), f32x4.shuffle(s0, s1, 1, 5, 3, 7));
  const v = f32x4.add(f32x4.shuffle(s2, s3, 0, 4, 2, 6), f32x4.shuffle(s2, s3, 1, 5, 3, 7));
  return f32x4.add(f32x4.shuffle(u, v, 0, 1, 4, 5), f32x4.shuffle(u, v, 2, 3, 6, 7));
}

function dot(a: usize, b: usize, half: usize): f32 {
  let s = f32x4.splat(0);
  let t = s;
  for (const stop = a + half; a < stop; a += 16, b += 16) {
    s = madd(v128.load(a), v128.load(b + half), s);
    t = madd(v128.load(a + half), v128.load(b), t);
  }
  s = f32x4.add(s, t);
  const low = f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1);
  return low + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3));
}
