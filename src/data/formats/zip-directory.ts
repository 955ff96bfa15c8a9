import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { printable } from "./printable.ts";

/** One line of a zip archive's directory. */
export interface ZipMember {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const END_BYTES = 22;
const MAX_COMMENT = 65_535;

/** Reads the directory at the end of the archive; archives over 4 GiB (zip64) included. */
export function readDirectory(source: ByteSource): Map<string, ZipMember> {
  const { offset, size, count } = findDirectory(source);
  const bytes = source.read(offset, size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const members = new Map<string, ZipMember>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    const whole = at + 46 <= size && view.getUint32(at, true) === 0x02014b50;
    check(whole, () => `${source.name}: line ${i} of ${count} of the zip directory is damaged`, DataError);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const commentLength = view.getUint16(at + 32, true);
    const end = at + 46 + nameLength + extraLength + commentLength;
    check(end <= size, () => `${source.name}: line ${i} of the zip directory reaches beyond its end`, DataError);
    const member = readLine(view, at, nameLength, extraLength);
    check(
      member.method === 0 || member.method === 8,
      () => `${source.name}: ${member.name} is packed by method ${member.method}, must be stored (0) or deflate (8)`,
      DataError,
    );
    check(
      (view.getUint16(at + 8, true) & 1) === 0,
      () => `${source.name}: ${member.name} is encrypted; unpack it first`,
      DataError,
    );
    check(!members.has(member.name), () => `${source.name}: has two members ${member.name}`, DataError);
    members.set(member.name, member);
    at = end;
  }
  return members;
}

function readLine(view: DataView, at: number, nameLength: number, extraLength: number): ZipMember {
  const name = printable(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength)));
  const fields = {
    size: view.getUint32(at + 24, true),
    packedSize: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  };
  readZip64(view, at + 46 + nameLength, extraLength, fields);
  return { name, method: view.getUint16(at + 10, true), crc: view.getUint32(at + 16, true), ...fields };
}

/** Fields that do not fit 32 bits are all ones; their real values follow in order in extra field 1. */
function readZip64(view: DataView, start: number, length: number, fields: Record<string, number>): void {
  for (let at = start; at + 4 <= start + length; ) {
    const id = view.getUint16(at, true);
    const bytes = view.getUint16(at + 2, true);
    let value = at + 4;
    const end = Math.min(value + bytes, start + length);
    for (const key of id === 1 ? ["size", "packedSize", "offset"] : []) {
      if (fields[key] !== 0xffffffff || value + 8 > end) continue;
      fields[key] = Number(view.getBigUint64(value, true));
      value += 8;
    }
    at += 4 + bytes;
  }
}

/** The end record lies in the last 22 bytes, or before a comment of at most 65,535. */
function findDirectory(source: ByteSource): { offset: number; size: number; count: number } {
  const { name, size } = source;
  const tailSize = Math.min(size, END_BYTES + MAX_COMMENT);
  const tail = source.read(size - tailSize, tailSize);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  let at = tailSize - END_BYTES;
  while (at >= 0 && view.getUint32(at, true) !== 0x06054b50) at--;
  const magic = String.fromCharCode(...source.read(0, Math.min(size, 2)));
  check(at >= 0 && magic === "PK", () => `${name}: is not a zip archive, or it is cut off`, DataError);
  const found = readEnd(source, view, at, size - tailSize + at);
  const inside = found.offset + found.size <= size && 46 * found.count <= found.size;
  check(
    inside,
    () =>
      `${name}: zip directory of ${found.count} members in ${found.size} bytes at ${found.offset} does not fit its ${size} bytes`,
    DataError,
  );
  return found;
}

function readEnd(source: ByteSource, view: DataView, at: number, position: number) {
  const found = {
    count: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  };
  const large = found.count === 0xffff || found.size === 0xffffffff || found.offset === 0xffffffff;
  if (!large || position < 20) return found;
  const locator = dataView(source, position - 20, 20);
  if (locator.getUint32(0, true) !== 0x07064b50) return found;
  const end = dataView(source, Number(locator.getBigUint64(8, true)), 56);
  check(end.getUint32(0, true) === 0x06064b50, () => `${source.name}: its zip64 end record is damaged`, DataError);
  return {
    count: Number(end.getBigUint64(32, true)),
    size: Number(end.getBigUint64(40, true)),
    offset: Number(end.getBigUint64(48, true)),
  };
}

function dataView(source: ByteSource, offset: number, length: number): DataView {
  const bytes = source.read(offset, length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}
