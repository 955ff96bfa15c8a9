/**
 * IEEE 754 half precision: 1 sign, 5 exponent and 10 fraction bits. Computed here because `Float16Array` needs a newer Node than we
 * do.
 */

/** The largest finite half. */
export const LARGEST_FLOAT16 = 65_504;

/** The value of the half with these bits. */
export function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** Converts halves to single precision floats by looking each up in a table of all 65,536. */
export function decodeFloat16(halves: Uint16Array, out: Float32Array = new Float32Array(halves.length)): Float32Array {
  if (values[1] === 0) for (let half = 0; half < 2 ** 16; half++) values[half] = float16(half); // filled on first use
  for (let i = 0; i < halves.length; i++) out[i] = values[halves[i]];
  return out;
}

const values = new Float32Array(2 ** 16);

const BIAS_CHANGE = (127 - 15) << 23;
const SMALLEST_NORMAL = (127 - 14) << 23; // 2^−14
const OVERFLOW = 0x477ff000; // 65,520: this and anything larger rounds to infinity
const INFINITY = 0x7f800000;

/** Converts single precision floats to halves: the nearest, ties to even; values that are too large become infinite. */
export function encodeFloat16(floats: Float32Array, out: Uint16Array = new Uint16Array(floats.length)): Uint16Array {
  const words = new Int32Array(floats.buffer, floats.byteOffset, floats.length);
  const count = words.length;
  for (let i = 0; i < count; i++) {
    const word = words[i];
    const magnitude = word & 0x7fffffff;
    // Usually: change the exponent's bias from 127 to 15 and round off 13 bits. One unsigned comparison finds the rest.
    let half = (magnitude - BIAS_CHANGE + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    if ((magnitude - SMALLEST_NORMAL) >>> 0 >= OVERFLOW - SMALLEST_NORMAL) half = unusual(magnitude);
    out[i] = ((word >>> 16) & 0x8000) | half;
  }
  return out;
}

/** The half, without its sign, of a float that is subnormal as a half, too large, infinite or NaN. */
function unusual(magnitude: number): number {
  if (magnitude > INFINITY) return 0x7e00;
  if (magnitude >= OVERFLOW) return 0x7c00;
  // Subnormal halves are multiples of 2^−24, as are all floats from 0.5 to 1: adding 0.5 rounds to such a multiple.
  bits[0] = magnitude;
  bitsAsFloat[0] += 0.5;
  return bits[0] - HALF;
}

const bits = new Uint32Array(1);
const bitsAsFloat = new Float32Array(bits.buffer);
const HALF = 0x3f000000; // the bits of 0.5
