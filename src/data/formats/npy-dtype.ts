import { check, DataError } from "../../core/errors.ts";
import { decodeFloat16 } from "../../core/float16.ts";
import { quote } from "./printable.ts";

/** The values of an array as they are stored; half floats are widened, booleans are bytes of 0 and 1. */
export type NpyData =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

type Constructor = new (buffer: ArrayBufferLike, offset: number, length: number) => NpyData;

const CONSTRUCTORS: Readonly<Record<string, Constructor>> = {
  b1: Uint8Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  f2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  f4: Float32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f8: Float64Array,
};

/** A NumPy type string such as `<f4` or `<U19`, taken apart. */
export interface Dtype {
  /** Kind and size without byte order: `f4`, `i8`, `b1`, `U19`. */
  readonly code: string;
  readonly bigEndian: boolean;
  readonly itemBytes: number;
}

/** Takes a type string apart; types that hold pickled objects, dates, records and the like are errors. */
export function parseDtype(descr: string, where: string): Dtype {
  const match = /^([<>|=]?)([a-zA-Z]\d*)$/.exec(descr);
  const code = match?.[2] ?? "";
  check(
    !code.startsWith("O"),
    () => `${where}: holds pickled Python objects, which are never unpickled here; save it as numbers`,
    DataError,
  );
  const text = /^([US])(\d{1,9})$/.exec(code);
  const known = text !== null || Object.hasOwn(CONSTRUCTORS, code);
  check(
    known,
    () => `${where}: type ${quote(descr)} must be float16/32/64, an integer, bool or unicode text`,
    DataError,
  );
  const size = Number(code.slice(1));
  return { code, bigEndian: match![1] === ">", itemBytes: text?.[1] === "U" ? 4 * size : size };
}

/**
 * `count` numbers that begin `offset` bytes into `bytes`. Aligned little-endian numbers are a view of `bytes`, so a
 * large file is in memory once; others are copied.
 */
export function decodeNumbers(bytes: Uint8Array, offset: number, count: number, dtype: Dtype): NpyData {
  const { code, bigEndian, itemBytes } = dtype;
  const length = count * itemBytes;
  const aligned = (bytes.byteOffset + offset) % itemBytes === 0;
  let raw = bytes.subarray(offset, offset + length);
  if (!aligned || (bigEndian && itemBytes > 1)) raw = raw.slice();
  if (bigEndian) swapBytes(raw, itemBytes);
  const stored = new CONSTRUCTORS[code](raw.buffer, raw.byteOffset, count);
  return code === "f2" ? decodeFloat16(stored as Uint16Array) : stored;
}

function swapBytes(bytes: Uint8Array, itemBytes: number): void {
  if (itemBytes > 1) for (let at = 0; at < bytes.length; at += itemBytes) bytes.subarray(at, at + itemBytes).reverse();
}

/** True for text: `U` in UTF-32, `S` one byte per character. */
export function isText({ code }: Dtype): boolean {
  return /^[US]/.test(code);
}

/** NumPy's fixed-width text, padded with zeros. */
export function decodeText(bytes: Uint8Array, offset: number, count: number, dtype: Dtype, where: string): string[] {
  if (dtype.code.startsWith("S")) return decodeBytes(bytes.subarray(offset), count, dtype.itemBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const width = dtype.itemBytes / 4;
  return Array.from({ length: count }, (_, item) => {
    let text = "";
    for (let i = 0; i < width; i++) {
      const point = view.getUint32(item * dtype.itemBytes + 4 * i, !dtype.bigEndian);
      check(point <= 0x10ffff, () => `${where}: ${point} in text ${item} is not a Unicode character`, DataError);
      text += String.fromCodePoint(point);
    }
    return text.replace(/\0+$/, "");
  });
}

function decodeBytes(bytes: Uint8Array, count: number, width: number): string[] {
  const decoder = new TextDecoder("latin1");
  const item = (k: number) => decoder.decode(bytes.subarray(k * width, (k + 1) * width));
  return Array.from({ length: count }, (_, k) => item(k).replace(/\0+$/, ""));
}
