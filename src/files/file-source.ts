import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { check, DataError } from "../core/errors.ts";
import { allBytes, type ByteSource, checkInside, readAndClose } from "../data/formats/byte-source.ts";

/** Most bytes per read call: the system refuses 2 GiB and more at once. */
const CHUNK = 2 ** 30;

/** A file as a source of bytes. Bytes are read only when `read` asks for them. */
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

/** The whole content of a file of moderate size. */
export function readWhole(path: string): Uint8Array {
  return readAndClose(fileSource(path), allBytes);
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
