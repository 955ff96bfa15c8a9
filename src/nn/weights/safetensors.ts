import { check } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import { dtypes } from "./safetensors-dtype.ts";
import { encodeHeader, type Header, readHeader, type TensorEntry } from "./safetensors-header.ts";

/** A tensor on the host, as read from a file. Its values are floats, whatever `dtype` they are stored in. */
export interface StoredTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The content of a safetensors file. */
export interface Safetensors {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Free strings beside the tensors. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The tensors of a safetensors file, everything checked; a `DataError` names what is wrong. */
export function decodeSafetensors(source: ByteSource): Safetensors {
  const { metadata, entries, dataOffset } = readHeader(source);
  const tensors = entries.map(({ name, dtype, shape, begin, end }): [string, StoredTensor] => {
    const raw = source.read(dataOffset + begin, end - begin).slice(); // a copy of its own is aligned
    return [name, { dtype, shape, data: dtypes[dtype].decode(raw) }];
  });
  return { tensors: new Map(tensors), metadata };
}

/** The metadata alone, without reading any tensor. */
export function decodeMetadata(source: ByteSource): Header["metadata"] {
  return readHeader(source).metadata;
}

/** The bytes that the `safetensors` package of Python writes for `F32` and `I64` tensors: wider types first, then by name. */
export function encodeSafetensors({ tensors, metadata }: Safetensors): Uint8Array {
  const ordered = [...tensors].sort(([a, s], [b, t]) => width(t) - width(s) || (a < b ? -1 : 1));
  const entries: TensorEntry[] = [];
  for (const [name, { dtype, shape, data }] of ordered) {
    check(dtype === "F32" || dtype === "I64", () => `tensor "${name}": ${dtype} cannot be written; use F32 or I64`);
    const begin = entries.at(-1)?.end ?? 0;
    entries.push({ name, dtype, shape, begin, end: begin + data.length * dtypes[dtype].bytes });
  }
  const header = encodeHeader({ metadata, entries });
  const bytes = new Uint8Array(header.length + (entries.at(-1)?.end ?? 0));
  bytes.set(header);
  for (const [i, [, { dtype, data }]] of ordered.entries()) {
    bytes.set(encode(dtype, data), header.length + entries[i].begin);
  }
  return bytes;
}

function encode(dtype: string, data: Float32Array): Uint8Array {
  const stored = dtype === "I64" ? BigInt64Array.from(data, BigInt) : data;
  return new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
}

function width({ dtype }: StoredTensor): number {
  return dtypes[dtype].bytes;
}
