import { check, DataError } from "../../core/errors.ts";
import type { NpyArray } from "./npy.ts";

/** Integers as 32-bit ones; a value that does not fit is an error that names it. */
export function toInt32(array: NpyArray, where: string): Int32Array {
  const { data } = array;
  if (data instanceof Int32Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return narrow(data, where);
  check(!array.texts, () => `${where}: must hold integers, got text`, DataError);
  const out = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    out[i] = data[i];
    if (out[i] !== data[i]) throw new DataError(`${where}: ${data[i]} at position ${i} must be a 32-bit integer`);
  }
  return out;
}

/** Reads the two halves of each 64-bit integer instead of making a bigint of it: a hundred times faster. */
function narrow(data: BigInt64Array | BigUint64Array, where: string): Int32Array {
  const words = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  const out = new Int32Array(data.length);
  const unsigned = data instanceof BigUint64Array;
  for (let i = 0; i < out.length; i++) {
    const low = words[2 * i];
    out[i] = low;
    const fits = unsigned ? words[2 * i + 1] === 0 && low >= 0 : words[2 * i + 1] === low >> 31;
    if (!fits) throw new DataError(`${where}: ${data[i]} at position ${i} must be a 32-bit integer`);
  }
  return out;
}

/** Numbers as single precision floats; text is an error. */
export function toFloat32(array: NpyArray, where: string): Float32Array {
  const { data } = array;
  if (data instanceof Float32Array) return data;
  check(!array.texts, () => `${where}: must hold numbers, got text`, DataError);
  return data instanceof BigInt64Array || data instanceof BigUint64Array
    ? Float32Array.from(data, Number)
    : Float32Array.from(data);
}

/** Non-negative integers below 2^53, such as the row pointers of a large matrix. */
export function toCounts(array: NpyArray, where: string): Int32Array | Float64Array {
  const { data } = array;
  if (data instanceof Int32Array) return data;
  check(!array.texts, () => `${where}: must hold integers, got text`, DataError);
  const out = Float64Array.from(data as ArrayLike<number | bigint>, Number);
  const bad = out.findIndex((value) => !Number.isSafeInteger(value) || value < 0);
  check(bad < 0, () => `${where}: ${data[bad]} at position ${bad} must be a count`, DataError);
  return out.every((value) => value < 2 ** 31) ? Int32Array.from(out) : out;
}

/** Class ids, where NaN and −1 mean that the class is unknown. */
export function toLabels(array: NpyArray, where: string): Int32Array {
  const { data } = array;
  if (!(data instanceof Float32Array || data instanceof Float64Array)) return toInt32(array, where);
  const known = data.map((value) => (Number.isNaN(value) ? -1 : value));
  return toInt32({ ...array, data: known }, where);
}

/** Ids of nodes: integers or text. */
export function toIds(array: NpyArray, where: string): (number | string)[] {
  if (array.texts) return [...array.texts];
  const ids = Array.from(array.data as ArrayLike<number | bigint>, Number);
  const bad = ids.findIndex((id) => !Number.isSafeInteger(id));
  check(bad < 0, () => `${where}: ${array.data[bad]} at position ${bad} must be a node id`, DataError);
  return ids;
}
