// Inverted dropout with the bits of Philox: half e & 1 of word (e >> 1) & 3 of counter e >> 3 decides element e.
import { philox4, word0, word1, word2, word3 } from "../shared/philox";

/**
 * Elements begin … end − 1 of max(X, floor), where begin is a multiple of 32: four counters in the lanes of one vector
 * at a time.
 */
export function dropout(
  begin: i32,
  end: i32,
  out: usize,
  x: usize,
  threshold: i32,
  scale: f32,
  floor: f32,
  lo: u32,
  hi: u32,
): void {
  const limit = i16x8.splat(<i16>threshold);
  const factor = f32x4.splat(scale);
  const floors = f32x4.splat(floor);
  for (let e = begin; e < end; e += 32) {
    philox4(e >> 3, lo, hi);
    // Lanes hold counters, registers hold words: transpose so that the four words of a counter share a vector.
    const ab0 = i32x4.shuffle(word0, word1, 0, 4, 1, 5);
    const ab1 = i32x4.shuffle(word0, word1, 2, 6, 3, 7);
    const cd0 = i32x4.shuffle(word2, word3, 0, 4, 1, 5);
    const cd1 = i32x4.shuffle(word2, word3, 2, 6, 3, 7);
    const at = (<usize>e) << 2;
    const left = end - e; // whole groups of eight: buffers are padded to sixteen
    keep(out + at, x + at, i64x2.shuffle(ab0, cd0, 0, 2), limit, factor, floors);
    if (left > 8) keep(out + at + 32, x + at + 32, i64x2.shuffle(ab0, cd0, 1, 3), limit, factor, floors);
    if (left > 16) keep(out + at + 64, x + at + 64, i64x2.shuffle(ab1, cd1, 0, 2), limit, factor, floors);
    if (left > 24) keep(out + at + 96, x + at + 96, i64x2.shuffle(ab1, cd1, 1, 3), limit, factor, floors);
  }
}

/** Eight elements, one half word each. */
function keep(out: usize, x: usize, words: v128, limit: v128, factor: v128, floors: v128): void {
  const kept = i16x8.ge_u(words, limit);
  const low = f32x4.mul(f32x4.max(v128.load(x), floors), factor);
  const high = f32x4.mul(f32x4.max(v128.load(x, 16), floors), factor);
  v128.store(out, v128.and(low, i32x4.extend_low_i16x8_s(kept)));
  v128.store(out, v128.and(high, i32x4.extend_high_i16x8_s(kept)), 16);
}

/** dX = scale · dY where Y > 0, else 0: an output above 0 was above 0 before relu, and dropout kept it. */
export function reluDropoutGrad(begin: i32, end: i32, out: usize, dy: usize, y: usize, scale: f32): void {
  const factor = f32x4.splat(scale);
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const positive = f32x4.gt(v128.load(y + at), f32x4.splat(0));
    v128.store(out + at, v128.and(f32x4.mul(v128.load(dy + at), factor), positive));
  }
}
