// Inverted dropout with the bits of Philox: word e & 3 of counter e >> 2 decides element e.
const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;

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
  const m0 = i32x4.splat(M0);
  const m1 = i32x4.splat(M1);
  for (let e = begin; e < end; e += 16) {
    let c0 = i32x4.add(i32x4.splat(e >> 2), i32x4(0, 1, 2, 3));
    let c1 = i32x4.splat(0);
    let c2 = i32x4.splat(0);
    let c3 = i32x4.splat(0);
    let k0 = lo;
    let k1 = hi;
    for (let round = 0; round < 10; round++) {
      const low0 = i64x2.extmul_low_i32x4_u(c0, m0);
      const high0 = i64x2.extmul_high_i32x4_u(c0, m0);
      const low1 = i64x2.extmul_low_i32x4_u(c2, m1);
      const high1 = i64x2.extmul_high_i32x4_u(c2, m1);
      c0 = v128.xor(v128.xor(i32x4.shuffle(low1, high1, 1, 3, 5, 7), c1), i32x4.splat(k0));
      c1 = i32x4.shuffle(low1, high1, 0, 2, 4, 6);
      c2 = v128.xor(v128.xor(i32x4.shuffle(low0, high0, 1, 3, 5, 7), c3), i32x4.splat(k1));
      c3 = i32x4.shuffle(low0, high0, 0, 2, 4, 6);
      k0 += W0;
      k1 += W1;
    }
    // Lanes hold counters, registers hold words: transpose so that four consecutive elements share a vector.
    const ab0 = i32x4.shuffle(c0, c1, 0, 4, 1, 5);
    const ab1 = i32x4.shuffle(c0, c1, 2, 6, 3, 7);
    const cd0 = i32x4.shuffle(c2, c3, 0, 4, 1, 5);
    const cd1 = i32x4.shuffle(c2, c3, 2, 6, 3, 7);
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
