import { check, DataError } from "../../core/errors.ts";

/** Bytes that can be read at any place: an array, or a file that may be larger than memory. Whoever opens one closes it. */
export interface ByteSource {
  /** What error messages call it: a path, or `archive.zip: member`. */
  readonly name: string;
  readonly size: number;
  /** A copy or a view of `length` bytes from `offset` on; both must lie inside. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/**
 * Bytes in memory, such as those of a file that was dropped on a page.
 *
 * @example
 * const source = bytesSource(new Uint8Array(await file.arrayBuffer()), file.name);
 */
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

/** Throws unless `length` bytes from `offset` on lie inside of a source. */
export function checkInside({ name, size }: ByteSource, offset: number, length: number): void {
  const inside = offset >= 0 && length >= 0 && offset + length <= size;
  check(
    inside,
    () => `${name}: bytes ${offset} to ${offset + length} asked for, but it has ${size}; is it cut off?`,
    DataError,
  );
}

/** Returns what `read` makes of a source and closes the source, even after an error. */
export function readAndClose<T>(source: ByteSource, read: (source: ByteSource) => T): T {
  try {
    return read(source);
  } finally {
    source.close();
  }
}

/** The whole content of a source of moderate size. */
export function allBytes(source: ByteSource): Uint8Array {
  return source.read(0, source.size);
}
