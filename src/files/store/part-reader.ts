import { join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import { fileSource } from "../file-source.ts";
import { type Mapping, mapFile, mappedBytes, unmap } from "./mapped-file.ts";
import { BYTES_OF, type PartType, type StorePart } from "./store-header.ts";

/** The array type for each type of part; numbers of 64 bits are two words each, the low one first. */
const VIEWS = {
  u64: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
} as const satisfies Record<PartType, unknown>;

export type Numbers<T extends PartType = PartType> = InstanceType<(typeof VIEWS)[T]>;

/** Reads ranges of a part. */
export interface PartReader<T extends PartType = PartType> {
  readonly type: T;
  /** Numbers `begin` … `end − 1`: a view that must not be written to, or a copy. */
  range(begin: number, end: number): Numbers<T>;
  /** All numbers, if the part is mapped. */
  readonly all: Numbers<T> | null;
  /** Where the part is mapped, if it is. */
  readonly mapping: Mapping | null;
  close(): void;
}

/** How a part is opened. */
export interface PartAccess {
  /** Map it, if the system can. */
  readonly mapped: boolean;
  /** A mapping that another thread made; that thread ends it. */
  readonly lent?: Mapping | undefined;
}

/** Opens a part of the store in `folder`. */
export function openPart(folder: string, part: StorePart, access: PartAccess): PartReader {
  const path = join(folder, part.file);
  if (access.lent) return mappedPart(part.type, access.lent, () => {});
  checkSize(path, part);
  const mapping = access.mapped ? mapFile(path) : null;
  if (mapping) return mappedPart(part.type, mapping, () => unmap(mapping));
  const { type } = part;
  const source = fileSource(path);
  return {
    type,
    mapping: null,
    all: null,
    range: (begin, end) => viewOf(type, source.read(begin * BYTES_OF[type], (end - begin) * BYTES_OF[type]).buffer),
    close: () => source.close(),
  };
}

/** Throws if a file has another size than the header says. */
export function checkSize(path: string, { length, type }: StorePart): void {
  const source = fileSource(path);
  const { size } = source;
  source.close();
  const bytes = length * BYTES_OF[type];
  check(
    size === bytes,
    () =>
      `${path}: has ${size} bytes where its header says ${bytes}; ` +
      `it is ${size < bytes ? "cut off" : "not the one that was written"}, make the store again`,
    DataError,
  );
}

function mappedPart(type: PartType, mapping: Mapping, close: () => void): PartReader {
  const all = viewOf(type, mappedBytes(mapping));
  const words = BYTES_OF[type] / all.BYTES_PER_ELEMENT;
  return { type, mapping, all, range: (begin, end) => all.subarray(begin * words, end * words) as Numbers, close };
}

function viewOf(type: PartType, buffer: ArrayBufferLike): Numbers {
  return new VIEWS[type](buffer as ArrayBuffer);
}
