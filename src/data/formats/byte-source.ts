import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { check, DataError } from "../../core/errors.ts";

/** Bytes that can be read at any place: a file that may be larger than memory, or an array. */
export interface ByteSource {
  /** What error messages call it: a path, or `archive.zip: member`. */
  readonly name: string;
  readonly size: number;
  /** A copy or a view of `length` bytes from `offset` on; both must lie inside. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/** One read call moves less than this: the system refuses 2 GiB and more at once. */
const CHUNK = 2 ** 30;

export function fileSource(path: string): ByteSource {
  const file = openFile(path);
  const { size } = fstatSync(file);
  return {
    name: path,
    size,
    read(offset, length) {
      checkInside(this, offset, length);
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const moved = readSync(file, bytes, at, Math.min(CHUNK, length - at), offset + at);
        check(
          moved > 0,
          () => `${path}: ended at byte ${offset + at} while it was read; is it being written?`,
          DataError,
        );
        at += moved;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

export function bytesSource(bytes: Uint8Array, name: string): ByteSource {
  return {
    name,
    size: bytes.length,
    read(offset, length) {
      checkInside(this, offset, length);
      return bytes.subarray(offset, offset + length);
    },
    close() {},
  };
}

/** The whole content of a file of moderate size. */
export function readWhole(path: string): Uint8Array {
  const source = fileSource(path);
  try {
    return source.read(0, source.size);
  } finally {
    source.close();
  }
}

function openFile(path: string): number {
  try {
    const file = openSync(path, "r");
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (error) {
    throw new DataError(`${path}: cannot be opened (${(error as NodeJS.ErrnoException).code}); is the path right?`);
  }
  throw new DataError(`${path}: must be a file, not a folder`);
}

function checkInside({ name, size }: ByteSource, offset: number, length: number): void {
  const inside = offset >= 0 && length >= 0 && offset + length <= size;
  check(
    inside,
    () => `${name}: bytes ${offset} to ${offset + length} asked for, but it has ${size}; is it cut off?`,
    DataError,
  );
}
