// The passes of the projection onto a budget.
import { madd } from "../shared/fma";
import { max4 } from "../shared/vector";

const CHUNK: i32 = 16384;

/** partial_c = [Σ clip(x − λ, 0, 1), number of x − λ strictly inside (0, 1), max x] over fixed chunk c, in double precision. */
export function clippedSums(begin: i32, end: i32, partial: usize, x: usize, length: i32, lambda: f64): void {
  const shift = f64x2.splat(lambda);
  for (let chunk = begin; chunk < end; chunk++) {
    let e = chunk * CHUNK;
    const last = min(length, e + CHUNK);
    let sums = f64x2.splat(0);
    let inside = i64x2.splat(0);
    let top4 = f32x4.splat(-Infinity);
    for (; e + 4 <= last; e += 4) {
      const value = v128.load(x + ((<usize>e) << 2));
      const low = f64x2.sub(f64x2.promote_low_f32x4(value), shift);
      const high = f64x2.sub(f64x2.promote_low_f32x4(i32x4.shuffle(value, value, 2, 3, 0, 1)), shift);
      sums = f64x2.add(sums, f64x2.add(clip01(low), clip01(high)));
      inside = i64x2.sub(inside, i64x2.add(inside01(low), inside01(high)));
      top4 = f32x4.pmax(top4, value);
    }
    let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    let count = <f64>(i64x2.extract_lane(inside, 0) + i64x2.extract_lane(inside, 1));
    let top = max4(top4);
    for (; e < last; e++) {
      const value = load<f32>(x + ((<usize>e) << 2));
      const y = <f64>value - lambda;
      sum += min(max(y, 0), 1);
      count += f64(y > 0 && y < 1);
      top = max(top, value);
    }
    storePoint(partial, chunk, sum, count, top);
  }
}

function storePoint(partial: usize, chunk: i32, sum: f64, count: f64, top: f32): void {
  const out = partial + <usize>chunk * 24;
  store<f64>(out, sum);
  store<f64>(out, count, 8);
  store<f64>(out, <f64>top, 16);
}

/** x ← x + rate · gradient (unless `gradient` is 0), then {@link clippedSums} at λ = 0, where float32 clips exactly. */
export function ascendAndSum(
  begin: i32,
  end: i32,
  partial: usize,
  x: usize,
  length: i32,
  gradient: usize,
  rate: f32,
): void {
  const zeros = f32x4.splat(0);
  const ones = f32x4.splat(1);
  for (let chunk = begin; chunk < end; chunk++) {
    let e = chunk * CHUNK;
    const last = min(length, e + CHUNK);
    let sums = f64x2.splat(0);
    let inside = i32x4.splat(0);
    let top4 = f32x4.splat(-Infinity);
    for (; e + 4 <= last; e += 4) {
      const at = (<usize>e) << 2;
      let value = v128.load(x + at);
      if (gradient) {
        value = madd(f32x4.splat(rate), v128.load(gradient + at), value);
        v128.store(x + at, value);
      }
      const clipped = f32x4.pmin(ones, f32x4.pmax(zeros, value));
      const low = f64x2.promote_low_f32x4(clipped);
      const high = f64x2.promote_low_f32x4(i32x4.shuffle(clipped, clipped, 2, 3, 0, 1));
      sums = f64x2.add(sums, f64x2.add(low, high));
      inside = i32x4.sub(inside, v128.and(f32x4.gt(value, zeros), f32x4.lt(value, ones)));
      top4 = f32x4.pmax(top4, value);
    }
    let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    let count = <f64>(i32x4.extract_lane(inside, 0) + i32x4.extract_lane(inside, 1));
    count += <f64>(i32x4.extract_lane(inside, 2) + i32x4.extract_lane(inside, 3));
    let top = max4(top4);
    for (; e < last; e++) {
      const at = (<usize>e) << 2;
      let value = load<f32>(x + at);
      if (gradient) {
        value = f32x4.extract_lane(madd(f32x4.splat(rate), v128.load32_splat(gradient + at), f32x4.splat(value)), 0);
        store<f32>(x + at, value);
      }
      sum += <f64>min(max(value, 0), 1);
      count += f64(value > 0 && value < 1);
      top = max(top, value);
    }
    storePoint(partial, chunk, sum, count, top);
  }
}

/** A float that is at most λ, and close to it. */
function notAbove(lambda: f64): f32 {
  return <f32>(lambda - 1e-6 * Math.abs(lambda));
}

function clip01(y: v128): v128 {
  return f64x2.pmin(f64x2.splat(1), f64x2.pmax(f64x2.splat(0), y));
}

/** All ones where 0 < y < 1. */
function inside01(y: v128): v128 {
  return v128.and(f64x2.gt(y, f64x2.splat(0)), f64x2.lt(y, f64x2.splat(1)));
}

/** x ← clip(x − λ, low, high) for elements begin … end − 1 and low ≥ 0, computed in double precision. */
export function shiftAndClip(begin: i32, end: i32, x: usize, lambda: f64, low: f64, high: f64): void {
  const shift = f64x2.splat(lambda);
  const lows = f64x2.splat(low);
  const highs = f64x2.splat(high);
  const below4 = f32x4.splat(notAbove(lambda));
  const low4 = f32x4.splat(<f32>low);
  for (let e = begin; e < end; e += 4) {
    const at = x + ((<usize>e) << 2);
    const value = v128.load(at);
    if (i32x4.all_true(f32x4.le(value, below4))) {
      v128.store(at, low4); // most of a block
      continue;
    }
    const a = f64x2.sub(f64x2.promote_low_f32x4(value), shift);
    const b = f64x2.sub(f64x2.promote_low_f32x4(i32x4.shuffle(value, value, 2, 3, 0, 1)), shift);
    const left = f32x4.demote_f64x2_zero(f64x2.min(f64x2.max(a, lows), highs));
    const right = f32x4.demote_f64x2_zero(f64x2.min(f64x2.max(b, lows), highs));
    v128.store(at, i32x4.shuffle(left, right, 0, 1, 4, 5));
  }
}
