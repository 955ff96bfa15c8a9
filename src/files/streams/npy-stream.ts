import { check, DataError } from "../../core/errors.ts";
import { type Dtype, isText, parseDtype } from "../../data/formats/npy-dtype.ts";
import { type NpyHeader, parseNpyHeader } from "../../data/formats/npy-header.ts";
import type { ZipStream } from "./zip-member.ts";

/** Most bytes of the header of an array that is streamed. */
const HEADER_BYTES = 4096;

/** An array of an .npz file that is read piece by piece. */
export class NpyStream {
  readonly where: string;
  readonly shape: readonly number[];
  readonly fortranOrder: boolean;
  readonly dtype: Dtype;
  private readonly archive: ZipStream;
  private readonly member: string;
  private readonly dataOffset: number;

  private constructor(archive: ZipStream, member: string, header: NpyHeader, where: string) {
    this.archive = archive;
    this.member = member;
    this.where = where;
    this.shape = header.shape;
    this.fortranOrder = header.fortranOrder;
    this.dtype = parseDtype(header.descr, where);
    this.dataOffset = header.dataOffset;
    const bytes = header.shape.reduce((product, size) => product * size, this.dtype.itemBytes);
    const there = archive.size(member) - header.dataOffset;
    check(!isText(this.dtype), () => `${where}: must hold numbers, got text`, DataError);
    check(
      bytes === there,
      () =>
        `${where}: array of shape (${header.shape.join(", ")}) needs ${bytes} bytes, but ${there} follow its header`,
      DataError,
    );
  }

  static async open(archive: ZipStream, name: string): Promise<NpyStream> {
    const member = `${name}.npy`;
    const where = `${archive.zip.name}: ${name}`;
    let head = new Uint8Array(0);
    for await (const piece of archive.bytes(member)) {
      head = new Uint8Array(Buffer.concat([head, piece.subarray(0, HEADER_BYTES)]));
      if (head.length >= HEADER_BYTES) break;
    }
    return new NpyStream(archive, member, parseNpyHeader(head, where), where);
  }

  /** The bytes of items `begin` … `end − 1` in file order, `count` at a time; the last piece may be shorter. */
  async *items(begin: number, end: number, count: number): AsyncGenerator<Uint8Array> {
    const { itemBytes } = this.dtype;
    let left = (end - begin) * itemBytes;
    if (left === 0) return;
    let block = new Uint8Array(Math.min(left, count * itemBytes));
    let filled = 0;
    for await (const piece of this.archive.bytes(this.member, this.dataOffset + begin * itemBytes)) {
      for (let at = 0; at < piece.length && left > 0; ) {
        const taken = piece.subarray(at, at + block.length - filled);
        block.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < block.length) continue;
        left -= block.length;
        yield block;
        block = new Uint8Array(Math.min(left, count * itemBytes));
        filled = 0;
      }
      if (left === 0 && end * itemBytes < this.archive.size(this.member) - this.dataOffset) return;
    }
  }
}
