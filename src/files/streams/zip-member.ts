import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import { Zip } from "../../data/formats/zip.ts";
import type { ZipMember } from "../../data/formats/zip-directory.ts";

const PIECE = 2 ** 20;

/** A zip archive whose members are unpacked piece by piece, because they may be larger than memory. */
export class ZipStream {
  readonly source: ByteSource;
  readonly zip: Zip;

  constructor(source: ByteSource) {
    this.source = source;
    this.zip = new Zip(source);
  }

  /** Unpacked size of a member. */
  size(name: string): number {
    return this.member(name).size;
  }

  /**
   * The unpacked bytes of a member from `begin` on. A stored member is read from there; a deflated one is unpacked from
   * its start. The checksum is checked if the whole member is read.
   */
  async *bytes(name: string, begin = 0): AsyncGenerator<Uint8Array> {
    const member = this.member(name);
    const where = `${this.zip.name}: ${name}`;
    const start = this.zip.dataOffset(member, where);
    if (member.method === 0) yield* this.stored(member, start, begin, where);
    else yield* this.deflated(member, start, begin, where);
  }

  /** Throws unless the checksum of a stored member is right. A deflated one is checked when it is unpacked. */
  async verifyStored(name: string): Promise<void> {
    if (this.member(name).method === 0) for await (const _ of this.bytes(name));
  }

  private member(name: string): ZipMember {
    const member = this.zip.members.get(name);
    check(member !== undefined, () => `${this.zip.name}: has no member ${name}`, DataError);
    return member;
  }

  private *stored(member: ZipMember, start: number, begin: number, where: string): Generator<Uint8Array> {
    let crc = 0;
    for (let at = begin; at < member.size; at += PIECE) {
      const piece = this.source.read(start + at, Math.min(PIECE, member.size - at));
      if (begin === 0) crc = crc32(piece, crc);
      yield piece;
    }
    if (begin === 0) checkCrc(crc, member, where);
  }

  private async *deflated(member: ZipMember, start: number, begin: number, where: string): AsyncGenerator<Uint8Array> {
    const inflate = createInflateRaw({ chunkSize: PIECE });
    const packed = Readable.from(piecesOf(this.source, start, member.packedSize));
    packed.on("error", (error) => inflate.destroy(error));
    packed.pipe(inflate);
    let crc = 0;
    let at = 0;
    try {
      for await (const piece of inflate as AsyncIterable<Uint8Array>) {
        crc = crc32(piece, crc);
        at += piece.length;
        check(
          at <= member.size,
          () => `${where}: unpacks to more than the ${member.size} bytes of its header`,
          DataError,
        );
        const skipped = Math.max(0, begin - (at - piece.length));
        if (skipped < piece.length) yield piece.subarray(skipped);
      }
    } catch (error) {
      if (error instanceof DataError) throw error;
      throw new DataError(`${where}: cannot be unpacked (${(error as Error).message}); the archive is damaged`);
    } finally {
      packed.destroy();
      inflate.destroy();
    }
    check(at === member.size, () => `${where}: unpacks to ${at} bytes, its header says ${member.size}`, DataError);
    checkCrc(crc, member, where);
  }
}

function* piecesOf(source: ByteSource, start: number, size: number): Generator<Uint8Array> {
  for (let at = 0; at < size; at += PIECE) yield source.read(start + at, Math.min(PIECE, size - at));
}

function checkCrc(crc: number, member: ZipMember, where: string): void {
  check(crc === member.crc, () => `${where}: checksum does not match; the archive is damaged`, DataError);
}
