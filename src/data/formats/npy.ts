import { check, DataError } from "../../core/errors.ts";
import { type Dtype, decodeNumbers, decodeText, isText, type NpyData, parseDtype } from "./npy-dtype.ts";
import { formatNpyHeader, parseNpyHeader } from "./npy-header.ts";
import { printable } from "./printable.ts";

/** An array of a .npy file in C order. `texts` holds the items of an array of text, whose `data` is empty. */
export interface NpyArray {
  /** NumPy's kind and size without byte order: `f4`, `i8`, `b1`, `U19`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: NpyData;
  readonly texts?: readonly string[];
}

/** Reads one .npy file. The shape is checked against the bytes that are there before anything is allocated. */
export function parseNpy(bytes: Uint8Array, where: string): NpyArray {
  const { descr, shape, fortranOrder, dataOffset } = parseNpyHeader(bytes, where);
  return decodeArray(bytes.subarray(dataOffset), descr, shape, fortranOrder, where);
}

/** The array of type `descr` and `shape` whose items fill `bytes` exactly. */
export function decodeArray(
  bytes: Uint8Array,
  descr: string,
  shape: readonly number[],
  fortranOrder: boolean,
  where: string,
): NpyArray {
  const dtype = parseDtype(descr, where);
  const count = shape.reduce((product, size) => product * size, 1);
  const expected = count * dtype.itemBytes;
  const shown = () => `${where}: ${printable(descr)} array of shape (${shape.join(", ")})`;
  check(
    expected === bytes.length,
    () => `${shown()} needs ${expected} bytes, but ${bytes.length} follow its header`,
    DataError,
  );
  check(dtype.itemBytes > 0 || count <= 65_536, () => `${shown()} holds no bytes; drop it`, DataError);
  const dimensions = shape.filter((size) => size !== 1).length;
  check(
    !fortranOrder || dimensions <= 2,
    () => `${shown()} in Fortran order must have at most 2 dimensions; save it in C order`,
    DataError,
  );
  if (isText(dtype)) return textArray(bytes, dtype, shape, count, where);
  const data = decodeNumbers(bytes, 0, count, dtype);
  if (dtype.code === "b1") {
    const bad = data.findIndex((value: number | bigint) => value > 1);
    check(bad < 0, () => `${shown()} must hold 0 and 1, got ${data[bad]} at position ${bad}`, DataError);
  }
  const ordered = fortranOrder && dimensions === 2 && count > 0 ? rowMajor(data, shape) : data;
  return { dtype: dtype.code === "f2" ? "f4" : dtype.code, shape, data: ordered };
}

function textArray(bytes: Uint8Array, dtype: Dtype, shape: readonly number[], count: number, where: string): NpyArray {
  const texts = decodeText(bytes, 0, count, dtype, where);
  return { dtype: dtype.code, shape, data: new Uint8Array(0), texts };
}

/** Turns a matrix stored column by column into one stored row by row. */
function rowMajor(data: NpyData, shape: readonly number[]): NpyData {
  const [numRows, numCols] = shape.filter((size) => size !== 1) as [number, number];
  const out = data.slice();
  for (let i = 0; i < numRows; i++) {
    for (let j = 0; j < numCols; j++) out[i * numCols + j] = data[j * numRows + i];
  }
  return out;
}

const DESCR = new Map<unknown, string>([
  [Int8Array, "|i1"],
  [Uint8Array, "|u1"],
  [Int16Array, "<i2"],
  [Uint16Array, "<u2"],
  [Int32Array, "<i4"],
  [Uint32Array, "<u4"],
  [BigInt64Array, "<i8"],
  [BigUint64Array, "<u8"],
  [Float32Array, "<f4"],
  [Float64Array, "<f8"],
]);

/** The .npy file (version 1) of `data`, which NumPy reads. `boolean` says that bytes are 0 and 1 for false and true. */
export function formatNpy(data: NpyData, shape: readonly number[] = [data.length], boolean = false): Uint8Array {
  const descr = boolean ? "|b1" : DESCR.get(data.constructor)!;
  return joined(formatNpyHeader(descr, shape), new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** The .npy file of texts: each as wide as the longest, in UTF-32. */
export function formatNpyTexts(texts: readonly string[], shape: readonly number[] = [texts.length]): Uint8Array {
  const points = texts.map((text) => Array.from(text, (character) => character.codePointAt(0)!));
  const width = points.reduce((widest, text) => Math.max(widest, text.length), 1);
  const data = new Uint32Array(texts.length * width);
  for (const [k, text] of points.entries()) data.set(text, k * width);
  return joined(formatNpyHeader(`<U${width}`, shape), new Uint8Array(data.buffer));
}

function joined(header: Uint8Array, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}
