// Inverted dropout with the bits of Philox: word e & 3 of counter e >> 2 decides element e.
import { philox4, word0, word1, word2, word3 } from "./philox";

/** Elements begin … end − 1, where begin is a multiple of 16: four counters in the lanes of one vector at a time. */
export function dropout(
  begin: i32,
  end: i32,
  out: usize,
  x: usize,
  threshold: u32,
  scale: f32,
  lo: u32,
  hi: u32,
): void {
  const limit = i32x4.splat(threshold);
  const factor = f32x4.splat(scale);
  for (let e = begin; e < end; e += 16) {
    philox4(e >> 2, lo, hi);
    // Lanes hold counters, registers hold words: transpose so that four consecutive elements share a vector.
    const ab0 = i32x4.shuffle(word0, word1, 0, 4, 1, 5);
    const ab1 = i32x4.shuffle(word0, word1, 2, 6, 3, 7);
    const cd0 = i32x4.shuffle(word2, word3, 0, 4, 1, 5);
    const cd1 = i32x4.shuffle(word2, word3, 2, 6, 3, 7);
    const at = (<usize>e) << 2;
    keep(out + at, x + at, i64x2.shuffle(ab0, cd0, 0, 2), limit, factor);
    keep(out + at + 16, x + at + 16, i64x2.shuffle(ab0, cd0, 1, 3), limit, factor);
    keep(out + at + 32, x + at + 32, i64x2.shuffle(ab1, cd1, 0, 2), limit, factor);
    keep(out + at + 48, x + at + 48, i64x2.shuffle(ab1, cd1, 1, 3), limit, factor);
  }
}

function keep(out: usize, x: usize, words: v128, limit: v128, factor: v128): void {
  v128.store(out, v128.and(f32x4.mul(v128.load(x), factor), i32x4.ge_u(words, limit)));
}
