import { crc32 } from "node:zlib";

/** A zip archive of stored members whose sizes and offsets all stand in zip64 fields, as for archives of more than 4 GiB. */
export function zip64(members: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const add = (list: Uint8Array[], bytes: Uint8Array) => {
    list.push(bytes);
    return bytes.length;
  };
  for (const [name, content] of Object.entries(members)) {
    const common = { name, crc: crc32(content), size: content.length };
    directory.push(centralLine({ ...common, offset }));
    offset += add(pieces, localLine(common));
    offset += add(pieces, content);
  }
  const directorySize = directory.reduce((sum, line) => sum + line.length, 0);
  const end = fields(56, (view) => {
    view.setUint32(0, 0x06064b50, true);
    view.setBigUint64(4, 44n, true);
    view.setBigUint64(24, BigInt(directory.length), true);
    view.setBigUint64(32, BigInt(directory.length), true);
    view.setBigUint64(40, BigInt(directorySize), true);
    view.setBigUint64(48, BigInt(offset), true);
  });
  const locator = fields(20, (view) => {
    view.setUint32(0, 0x07064b50, true);
    view.setBigUint64(8, BigInt(offset + directorySize), true);
    view.setUint32(16, 1, true);
  });
  const oldEnd = fields(22, (view) => {
    view.setUint32(0, 0x06054b50, true);
    view.setUint16(8, 0xffff, true);
    view.setUint16(10, 0xffff, true);
    view.setUint32(12, 0xffffffff, true);
    view.setUint32(16, 0xffffffff, true);
  });
  return new Uint8Array(Buffer.concat([...pieces, ...directory, end, locator, oldEnd]));
}

interface Member {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
}

function localLine({ name, crc, size }: Member): Uint8Array {
  const header = fields(30, (view) => {
    view.setUint32(0, 0x04034b50, true);
    view.setUint32(14, crc, true);
    view.setUint32(18, 0xffffffff, true);
    view.setUint32(22, 0xffffffff, true);
    view.setUint16(26, name.length, true);
    view.setUint16(28, 20, true);
  });
  return Buffer.concat([header, Buffer.from(name), extra([size, size])]);
}

function centralLine({ name, crc, size, offset }: Member & { offset: number }): Uint8Array {
  const header = fields(46, (view) => {
    view.setUint32(0, 0x02014b50, true);
    view.setUint32(16, crc, true);
    view.setUint32(20, 0xffffffff, true);
    view.setUint32(24, 0xffffffff, true);
    view.setUint16(28, name.length, true);
    view.setUint16(30, 28, true);
    view.setUint32(42, 0xffffffff, true);
  });
  return Buffer.concat([header, Buffer.from(name), extra([size, size, offset])]);
}

/** Extra field 1: the values that do not fit 32 bits. */
function extra(values: readonly number[]): Uint8Array {
  return fields(4 + 8 * values.length, (view) => {
    view.setUint16(0, 1, true);
    view.setUint16(2, 8 * values.length, true);
    for (const [k, value] of values.entries()) view.setBigUint64(4 + 8 * k, BigInt(value), true);
  });
}

function fields(length: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}
