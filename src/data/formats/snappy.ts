import { check, DataError } from "../../core/errors.ts";

/** Three packed bytes unpack to 64 at most, so no data unpacks to more than this many times its size. */
const MAX_RATIO = 22;

/** Unpacks a block of Snappy, which must unpack to `length` bytes. */
export function unpackSnappy(packed: Uint8Array, length: number, where: string): Uint8Array {
  const expect = (condition: boolean) =>
    check(condition, () => `${where}: is no whole parquet file (packed data is damaged)`, DataError);
  expect(length >= 0 && length <= MAX_RATIO * packed.length);
  const output = new Uint8Array(length);
  let at = 0;
  while (packed[at++] >= 0x80); // skips its length, which the page gives as well
  let size = 0;
  const number = (bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += packed[at++] * 256 ** i;
    return value;
  };
  while (at < packed.length) {
    const tag = packed[at++];
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const count = 1 + (short < 60 ? short : number(short - 59));
      expect(at + count <= packed.length && size + count <= length);
      output.set(packed.subarray(at, at + count), size);
      at += count;
      size += count;
    } else {
      const count = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
      const back = kind === 1 ? ((tag >> 5) << 8) + number(1) : number(kind === 2 ? 2 : 4);
      expect(back >= 1 && back <= size && size + count <= length);
      for (const end = size + count; size < end; size++) output[size] = output[size - back]; // may overlap itself
    }
  }
  expect(size === length);
  return output;
}
