import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import { dtypes } from "./safetensors-dtype.ts";

/** Where one tensor lies; offsets count from the end of the header. */
export interface TensorEntry {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

export interface Header {
  readonly metadata: Readonly<Record<string, string>>;
  /** In the order of their bytes. */
  readonly entries: readonly TensorEntry[];
  /** Where the bytes of the tensors begin in the file. */
  readonly dataOffset: number;
}

const METADATA = "__metadata__";

/** What the format allows; a longer header is a mistake or an attempt to exhaust memory. */
const MAX_HEADER_BYTES = 100_000_000;

/**
 * Reads and checks the header of a safetensors file: an unsigned 64-bit length, then JSON that says where each tensor
 * lies. Every byte after it must belong to exactly one tensor, so that a file hides nothing and a
 * truncated one is noticed.
 */
export function readHeader(source: ByteSource): Header {
  const { name: file, size } = source;
  check(size >= 8, () => `${file}: ${size} bytes are too few for a safetensors file`, DataError);
  const prefix = source.read(0, 8);
  const length = Number(new DataView(prefix.buffer, prefix.byteOffset, 8).getBigUint64(0, true));
  check(
    length <= Math.min(size - 8, MAX_HEADER_BYTES),
    () => `${file}: header of ${length} bytes in a file of ${size}; is it cut off, or no safetensors file?`,
    DataError,
  );
  const { [METADATA]: metadata, ...tensors } = parseObject(source.read(8, length), file);
  const entries = Object.entries(tensors).map(([name, entry]) => checkEntry(name, entry, file));
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);
  checkContiguous(entries, size - 8 - length, file);
  return { metadata: checkMetadata(metadata, file), entries, dataOffset: 8 + length };
}

/** The bytes before the tensors, padded with spaces so that the tensors are aligned to eight bytes. */
export function encodeHeader({ metadata, entries }: Pick<Header, "metadata" | "entries">): Uint8Array {
  const about = Object.keys(metadata).length > 0 ? [[METADATA, metadata] as const] : [];
  const tensors = entries.map(({ name, dtype, shape, begin, end }) => {
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  // Written entry by entry: an object would move names that look like numbers to the front.
  const members = [...about, ...tensors].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const json = new TextEncoder().encode(`{${members.join(",")}}`);
  const length = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(json, 8);
  return bytes;
}

function parseObject(bytes: Uint8Array, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new DataError(`${file}: the header is not JSON; is it a safetensors file?`);
  }
  check(isObject(value), () => `${file}: the header must be a JSON object`, DataError);
  return value;
}

function checkMetadata(metadata: unknown = {}, file: string): Record<string, string> {
  check(isObject(metadata), () => `${file}: ${METADATA} must be an object of strings`, DataError);
  for (const [key, value] of Object.entries(metadata)) {
    check(typeof value === "string", () => `${file}: ${METADATA}: value of "${key}" must be a string`, DataError);
  }
  return metadata as Record<string, string>;
}

function checkEntry(name: string, entry: unknown, file: string): TensorEntry {
  const fail = (message: string): never => {
    throw new DataError(`${file}: tensor "${name}": ${message}`);
  };
  if (!isObject(entry)) return fail("its header entry must be an object");
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string" || !Object.hasOwn(dtypes, dtype)) {
    return fail(`unknown dtype ${JSON.stringify(dtype)}; known are ${Object.keys(dtypes).join(", ")}`);
  }
  if (!isCounts(shape)) return fail(`shape must be a list of sizes, got ${JSON.stringify(shape)}`);
  if (!isCounts(offsets) || offsets.length !== 2) {
    return fail(`data_offsets must be two byte positions, got ${JSON.stringify(offsets)}`);
  }
  const [begin, end] = offsets as [number, number];
  const bytes = shape.reduce((product, size) => product * size, 1) * dtypes[dtype].bytes;
  if (end - begin !== bytes) {
    return fail(`${dtype} of shape [${shape.join(", ")}] takes ${bytes} bytes, but has ${end - begin}`);
  }
  return { name, dtype, shape, begin, end };
}

function checkContiguous(entries: readonly TensorEntry[], size: number, file: string): void {
  let at = 0;
  for (const { name, begin, end } of entries) {
    check(begin === at, () => `${file}: tensor "${name}" begins at byte ${begin}, must begin at ${at}`, DataError);
    at = end;
  }
  check(at === size, () => `${file}: tensors take ${at} bytes, but the file has ${size}; is it cut off?`, DataError);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
