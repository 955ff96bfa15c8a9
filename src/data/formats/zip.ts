import { inflateSync } from "fflate";
import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { crc32 } from "./crc32.ts";
import { MAX_EXPANSION, unpackedLimit } from "./unpacked-limit.ts";
import { readDirectory, type ZipMember } from "./zip-directory.ts";

/** Deflate packs at most 1032 bytes into one, so a header that says more is wrong. */
const DEFLATE_MAX_RATIO = 1032;
/** A zip archive of stored or deflated members, read on demand. Sizes in its headers are checked, never trusted. */
export class Zip {
  readonly name: string;
  readonly members: ReadonlyMap<string, ZipMember>;
  private readonly source: ByteSource;
  private readonly allowance: { bytes: number };
  /** Members that the allowance was charged for: reading one again unpacks nothing new. */
  private readonly charged = new Set<ZipMember>();

  /** `outer` is the archive that this one came from: both draw on one allowance for unpacked bytes. */
  constructor(source: ByteSource, outer?: Zip) {
    this.source = source;
    this.name = source.name;
    this.members = readDirectory(source);
    this.allowance = outer?.allowance ?? { bytes: unpackedLimit(source.size) };
  }

  has(name: string): boolean {
    return this.members.has(name);
  }

  /** The unpacked bytes of a member. */
  read(name: string): Uint8Array {
    const member = this.members.get(name);
    check(member !== undefined, () => `${this.name}: has no member ${name}; it has ${this.list()}`, DataError);
    const where = `${this.name}: ${name}`;
    const packed = this.source.read(this.dataOffset(member, where), member.packedSize);
    const bytes = member.method === 0 ? packed : this.inflate(packed, member, where);
    check(
      bytes.length === member.size,
      () => `${where}: unpacks to ${bytes.length} bytes, its header says ${member.size}`,
      DataError,
    );
    check(crc32(bytes) === member.crc, () => `${where}: checksum does not match; the archive is damaged`, DataError);
    return bytes;
  }

  /**
   * Where the data of a member begins: after a local header, whose name and extra field may differ in length from those
   * in the directory.
   */
  dataOffset(member: ZipMember, where: string): number {
    const header = this.source.read(member.offset, 30);
    const view = new DataView(header.buffer, header.byteOffset, 30);
    check(
      view.getUint32(0, true) === 0x04034b50,
      () => `${where}: no member begins at byte ${member.offset}`,
      DataError,
    );
    return member.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
  }

  private inflate(packed: Uint8Array, member: ZipMember, where: string): Uint8Array {
    const { size } = member;
    check(
      packed.length < 2 ** 31,
      () => `${where}: deflated members of 2 GiB and more are not read; store it`,
      DataError,
    );
    const possible = DEFLATE_MAX_RATIO * (packed.length + 1);
    check(
      size <= possible,
      () => `${where}: ${packed.length} bytes cannot unpack to ${size} as its header says`,
      DataError,
    );
    if (!this.charged.has(member)) this.charge(member, where);
    try {
      return inflateSync(packed, { out: new Uint8Array(size) });
    } catch (error) {
      throw new DataError(`${where}: cannot be unpacked (${(error as Error).message}); the archive is damaged`);
    }
  }

  private charge(member: ZipMember, where: string): void {
    const { size } = member;
    check(
      size <= this.allowance.bytes,
      () => `${where}: unpacks to ${size} bytes, ${MAX_EXPANSION} times the archive and more; refused`,
      DataError,
    );
    this.allowance.bytes -= size;
    this.charged.add(member);
  }

  private list(): string {
    const names = [...this.members.keys()];
    return names.length <= 12
      ? names.join(", ") || "none"
      : `${names.slice(0, 12).join(", ")} and ${names.length - 12} more`;
  }
}
