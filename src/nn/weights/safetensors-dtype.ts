import { float16 } from "../../core/float16.ts";

/** How the numbers of one type become single precision floats. */
interface Dtype {
  readonly bytes: number;
  /** `bytes` is aligned to its element size and holds a whole number of elements. */
  decode(bytes: Uint8Array<ArrayBuffer>): Float32Array;
}

type View = new (buffer: ArrayBuffer, offset: number, length: number) => ArrayLike<number | bigint>;

/** A type that a typed array can read. */
function plain(bytes: number, view: View): Dtype {
  return {
    bytes,
    decode: (raw) => Float32Array.from(new view(raw.buffer, raw.byteOffset, raw.length / bytes), Number),
  };
}

/** Two-byte floats, by a function of their bits. */
function half(value: (bits: number) => number): Dtype {
  return {
    bytes: 2,
    decode: (raw) => Float32Array.from(new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2), value),
  };
}

/** The supported types of safetensors: those with one number in whole bytes, in widths that weights are stored in. */
export const dtypes: Readonly<Record<string, Dtype>> = {
  F32: { bytes: 4, decode: (raw) => new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4) },
  F64: plain(8, Float64Array),
  F16: half(float16),
  BF16: half(bfloat16),
  I64: plain(8, BigInt64Array),
  U64: plain(8, BigUint64Array),
  I32: plain(4, Int32Array),
  U32: plain(4, Uint32Array),
  I16: plain(2, Int16Array),
  U16: plain(2, Uint16Array),
  I8: plain(1, Int8Array),
  U8: plain(1, Uint8Array),
  BOOL: plain(1, Uint8Array),
};

const word = new Uint32Array(1);
const wordAsFloat = new Float32Array(word.buffer);

/** The upper half of a single precision float. */
export function bfloat16(bits: number): number {
  word[0] = bits << 16;
  return wordAsFloat[0];
}
