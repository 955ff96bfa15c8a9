import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { check, DataError } from "../../core/errors.ts";
import { BYTES_OF, CHECKED_BYTES, type PartType, type StorePart } from "./store-header.ts";

/** How far a part is written; the journal keeps this. */
export interface PartState {
  readonly file: string;
  readonly type: PartType;
  readonly bytes: number;
  /** Checksums of the complete blocks. */
  readonly checksums: readonly number[];
  /** Checksum of the incomplete last block so far. */
  readonly running: number;
}

const BUFFER_BYTES = 2 ** 20;

/** Writes a part piece by piece through a buffer, and computes its checksums. */
export class PartWriter {
  readonly file: string;
  readonly type: PartType;
  private readonly descriptor: number;
  private readonly buffer: Uint8Array;
  private buffered = 0;
  private written: number;
  private readonly checksums: number[];
  private running: number;

  /** Continues where `state` says; bytes of the file after that are cut off. */
  constructor(folder: string, state: PartState, bufferBytes = BUFFER_BYTES) {
    this.file = state.file;
    this.type = state.type;
    this.written = state.bytes;
    this.checksums = [...state.checksums];
    this.running = state.running;
    this.buffer = new Uint8Array(bufferBytes);
    const path = join(folder, state.file);
    this.descriptor = openSync(path, state.bytes === 0 ? "w" : "r+");
    const { size } = fstatSync(this.descriptor);
    check(
      size >= state.bytes,
      () => `${path}: has ${size} bytes, its journal says ${state.bytes}; remove the folder and start again`,
      DataError,
    );
    ftruncateSync(this.descriptor, state.bytes);
  }

  /** Bytes so far, those in the buffer included. */
  get bytes(): number {
    return this.written + this.buffered;
  }

  /** Appends the bytes of an array, which are little-endian on every machine that Node runs on. */
  append(numbers: ArrayBufferView): void {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    if (this.buffered + bytes.length > this.buffer.length) this.flush();
    if (bytes.length >= this.buffer.length) this.write(bytes);
    else {
      this.buffer.set(bytes, this.buffered);
      this.buffered += bytes.length;
    }
  }

  /** Hands everything to the system, then returns how far the part is written. */
  state(): PartState {
    this.flush();
    const { file, type, written, checksums, running } = this;
    return { file, type, bytes: written, checksums: [...checksums], running };
  }

  /** Waits until everything handed to the system is on the disk. */
  async sync(): Promise<void> {
    await promisify(fdatasync)(this.descriptor);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private flush(): void {
    if (this.buffered > 0) this.write(this.buffer.subarray(0, this.buffered));
    this.buffered = 0;
  }

  private write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const piece = bytes.subarray(done, done + CHECKED_BYTES - (this.written % CHECKED_BYTES));
      const moved = writeSync(this.descriptor, piece, 0, piece.length, this.written);
      this.running = crc32(piece.subarray(0, moved), this.running);
      this.written += moved;
      done += moved;
      if (this.written % CHECKED_BYTES === 0) this.endBlock();
    }
  }

  private endBlock(): void {
    this.checksums.push(this.running);
    this.running = 0;
  }
}

/** The entry of the header for a finished part. */
export function finishedPart({ file, type, bytes, checksums, running }: PartState): StorePart {
  const begun = bytes % CHECKED_BYTES !== 0;
  return { file, type, length: bytes / BYTES_OF[type], checksums: begun ? [...checksums, running] : checksums };
}
