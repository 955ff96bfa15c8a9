/**
 * Philox 4x32-10, the counter-based generator of Salmon et al. (SC 2011): ten rounds of multiply and xor turn a
 * 128-bit counter and a 64-bit key into 128 random bits. Kernels on every backend draw element `i` from counter `i`,
 * so results do not depend on how work is split over threads.
 */

/** The 64-bit key of one stream of random bits. */
export interface Key {
  readonly lo: number;
  readonly hi: number;
}

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;
const ROUNDS = 10;

/** Writes the four random words of counter `(c0, c1, c2, c3)` into `out`. */
export function philox(out: Uint32Array, key: Key, c0: number, c1 = 0, c2 = 0, c3 = 0): void {
  let k0 = key.lo >>> 0;
  let k1 = key.hi >>> 0;
  for (let round = 0; round < ROUNDS; round++) {
    const hi0 = mulHigh(M0, c0);
    const lo0 = Math.imul(M0, c0) >>> 0;
    const hi1 = mulHigh(M1, c2);
    const lo1 = Math.imul(M1, c2) >>> 0;
    c0 = (hi1 ^ c1 ^ k0) >>> 0;
    c1 = lo1;
    c2 = (hi0 ^ c3 ^ k1) >>> 0;
    c3 = lo0;
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit integers. No intermediate sum overflows 32 bits. */
export function mulHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = (Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16)) >>> 0;
  const carry = (Math.imul(a0, b1) + (middle & 0xffff)) >>> 0;
  return (Math.imul(a1, b1) + (middle >>> 16) + (carry >>> 16)) >>> 0;
}
