// Philox 4x32-10 (Salmon et al., SC 2011), the generator of core/philox.ts.
const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;

/** The first two words of counter (counter, 0, 0, 0), the first one low. */
export function philox64(counter: u32, lo: u32, hi: u32): u64 {
  let c0 = counter;
  let c1: u32 = 0;
  let c2: u32 = 0;
  let c3: u32 = 0;
  let k0 = lo;
  let k1 = hi;
  for (let round = 0; round < 10; round++) {
    const p0 = <u64>M0 * <u64>c0;
    const p1 = <u64>M1 * <u64>c2;
    c0 = <u32>(p1 >> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += W0;
    k1 += W1;
  }
  return ((<u64>c1) << 32) | <u64>c0;
}

/** Words 0 to 3 of four counters, a counter in each lane: what {@link philox4} made last. Every thread has its own. */
export let word0: v128 = i32x4.splat(0);
export let word1: v128 = i32x4.splat(0);
export let word2: v128 = i32x4.splat(0);
export let word3: v128 = i32x4.splat(0);

/** Makes the words of counters (first, 0, 0, 0) … (first + 3, 0, 0, 0). */
export function philox4(first: u32, lo: u32, hi: u32): void {
  const m0 = i32x4.splat(M0);
  const m1 = i32x4.splat(M1);
  let c0 = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let c1 = i32x4.splat(0);
  let c2 = c1;
  let c3 = c1;
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
  word0 = c0;
  word1 = c1;
  word2 = c2;
  word3 = c3;
}

/** Words 0 to 3 of the four counters that follow: what {@link philox8} made last. */
export let next0: v128 = i32x4.splat(0);
export let next1: v128 = i32x4.splat(0);
export let next2: v128 = i32x4.splat(0);
export let next3: v128 = i32x4.splat(0);

/**
 * Makes the words of eight counters: the first four in word0 … word3 as {@link philox4}, the others in next0 … next3.
 * Each round waits for the one before it, so two interleaved sets of counters take little longer than one.
 */
export function philox8(first: u32, lo: u32, hi: u32): void {
  const m0 = i32x4.splat(M0);
  const m1 = i32x4.splat(M1);
  let a0 = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let b0 = i32x4.add(a0, i32x4.splat(4));
  let a1 = i32x4.splat(0);
  let a2 = a1;
  let a3 = a1;
  let b1 = a1;
  let b2 = a1;
  let b3 = a1;
  let k0 = lo;
  let k1 = hi;
  for (let round = 0; round < 10; round++) {
    const key0 = i32x4.splat(k0);
    const key1 = i32x4.splat(k1);
    let low0 = i64x2.extmul_low_i32x4_u(a0, m0);
    let high0 = i64x2.extmul_high_i32x4_u(a0, m0);
    let low1 = i64x2.extmul_low_i32x4_u(a2, m1);
    let high1 = i64x2.extmul_high_i32x4_u(a2, m1);
    a0 = v128.xor(i32x4.shuffle(low1, high1, 1, 3, 5, 7), v128.xor(a1, key0));
    a1 = i32x4.shuffle(low1, high1, 0, 2, 4, 6);
    a2 = v128.xor(i32x4.shuffle(low0, high0, 1, 3, 5, 7), v128.xor(a3, key1));
    a3 = i32x4.shuffle(low0, high0, 0, 2, 4, 6);
    low0 = i64x2.extmul_low_i32x4_u(b0, m0);
    high0 = i64x2.extmul_high_i32x4_u(b0, m0);
    low1 = i64x2.extmul_low_i32x4_u(b2, m1);
    high1 = i64x2.extmul_high_i32x4_u(b2, m1);
    b0 = v128.xor(i32x4.shuffle(low1, high1, 1, 3, 5, 7), v128.xor(b1, key0));
    b1 = i32x4.shuffle(low1, high1, 0, 2, 4, 6);
    b2 = v128.xor(i32x4.shuffle(low0, high0, 1, 3, 5, 7), v128.xor(b3, key1));
    b3 = i32x4.shuffle(low0, high0, 0, 2, 4, 6);
    k0 += W0;
    k1 += W1;
  }
  word0 = a0;
  word1 = a1;
  word2 = a2;
  word3 = a3;
  next0 = b0;
  next1 = b1;
  next2 = b2;
  next3 = b3;
}
