import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import { readSoon } from "./mapped-file.ts";
import { checkSize } from "./part-reader.ts";
import type { StorePart } from "./store-header.ts";

/**
 * A large part that is read in short, scattered ranges, most of them once. Reading by calls is faster than mapping
 * here: a page that is accessed once costs a fault and its removal, and occupies 4 KiB of the process in between.
 */
export class PartFile {
  private readonly path: string;
  private readonly file: number;

  constructor(folder: string, part: StorePart) {
    this.path = join(folder, part.file);
    checkSize(this.path, part);
    this.file = openSync(this.path, "r");
  }

  /** Fills `target` with `bytes` from `position` on. */
  read(target: Int32Array | Uint8Array, offset: number, bytes: number, position: number): void {
    const moved = readSync(this.file, target, offset, bytes, position);
    check(moved === bytes, () => `${this.path}: ended at byte ${position + moved}; was it cut off?`, DataError);
  }

  /** Tells the system that these bytes will be read soon. */
  readSoon(position: number, bytes: number): void {
    readSoon(this.file, position, bytes);
  }

  close(): void {
    closeSync(this.file);
  }
}
