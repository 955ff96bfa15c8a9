import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../../../test/support/pickle-writer.ts";
import { bytesSource } from "./byte-source.ts";
import { formatNpz, npzFrom } from "./npz.ts";
import { Zip } from "./zip.ts";

const open = (bytes: Uint8Array) => npzFrom(bytesSource(bytes, "f.npz"));
const arrays = { x: { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] }, y: { data: Int32Array.of(7) } };

/** Bytes `from …` of `bytes` replaced by a little-endian number. */
function patch(bytes: Uint8Array, from: number, value: number, width: 2 | 4): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  if (width === 2) view.setUint16(from, value, true);
  else view.setUint32(from, value, true);
  return copy;
}

/** Where the directory line of the first member begins. */
function directoryAt(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 22 + 16, true);
}

/** An archive of one member whose sizes and places are all in the 64-bit records, as those over 4 GiB have them. */
function withZip64Records(zip: Uint8Array): Uint8Array {
  const line = directoryAt(zip);
  const view = new DataView(zip.buffer, zip.byteOffset);
  const packedSize = view.getUint32(line + 20, true);
  const size = view.getUint32(line + 24, true);
  const ones = (at: number) => zip.fill(0xff, at, at + 4);
  for (const at of [line + 20, line + 24, line + 42]) ones(at);
  view.setUint16(line + 30, 28, true); // length of the extra field
  const nameEnd = line + 46 + view.getUint16(line + 28, true);
  const numbers = (...values: number[]) => new Uint8Array(BigUint64Array.from(values, BigInt).buffer);
  const directory = bytesOf(zip.subarray(line, nameEnd), "\x01\x00\x18\x00", numbers(size, packedSize, 0));
  const end64 = bytesOf("PK\x06\x06", numbers(44), new Uint8Array(12), numbers(1, 1, directory.length, line));
  const locator = bytesOf("PK\x06\x07\x00\x00\x00\x00", numbers(line + directory.length), "\x01\x00\x00\x00");
  const end = bytesOf("PK\x05\x06\x00\x00\x00\x00", new Uint8Array(12).fill(0xff), "\x00\x00");
  return bytesOf(zip.subarray(0, line), directory, end64, locator, end);
}

describe("Npz", () => {
  test.each([true, false])("reads back what formatNpz writes (compressed: %s)", (compress) => {
    const npz = open(formatNpz(arrays, { compress }));
    expect(npz.names).toEqual(["x", "y"]);
    expect(npz.array("x")).toEqual({ dtype: "f4", shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) });
  });
  test("gives the same bytes for the same arrays", () => {
    expect(formatNpz(arrays)).toEqual(formatNpz(arrays));
  });
  test("opens the one npz inside a zip", () => {
    const outer = zipSync({ "inner.npz": formatNpz(arrays) });
    expect([...open(outer).array("y").data]).toEqual([7]);
  });
  test("refuses a zip of several npz files and names them", () => {
    const outer = zipSync({ "a.npz": formatNpz(arrays), "b.npz": formatNpz(arrays) });
    expect(() => open(outer)).toThrow("f.npz: must hold one .npz, got a.npz, b.npz");
  });
  test("names the members that there are when one is missing", () => {
    expect(() => open(formatNpz(arrays)).array("z")).toThrow("f.npz: has no member z.npy; it has x.npy, y.npy");
  });
});

describe("Zip", () => {
  const stored = formatNpz(arrays, { compress: false });
  const deflated = formatNpz({ zeros: { data: new Float32Array(1000) } });
  const line = directoryAt(deflated);
  test("refuses a size in the header that deflate cannot reach, before it takes the memory", () => {
    const bomb = patch(deflated, line + 24, 0xfffffff0, 4);
    expect(() => open(bomb).array("zeros")).toThrow(/f.npz: zeros.npy: \d+ bytes cannot unpack to 4294967280/);
  });
  test("refuses an archive that unpacks to more than 300 times its size", () => {
    const bomb = zipSync({ "zeros.npy": new Uint8Array(17 * 2 ** 20) });
    expect(() => open(bomb).array("zeros")).toThrow(
      "f.npz: zeros.npy: unpacks to 17825792 bytes, 300 times the archive",
    );
  });
  test("counts a zip in a zip against the size of the outer one", () => {
    const inner = zipSync({ "zeros.npy": new Uint8Array(10 * 2 ** 20), "more.npy": new Uint8Array(10 * 2 ** 20) });
    const npz = open(zipSync({ "inner.npz": inner }));
    for (let i = 0; i < 2; i++) {
      expect(() => npz.array("zeros")).toThrow(/npy magic/); // within the allowance, though not an array
    }
    expect(() => npz.array("more")).toThrow(/300 times the archive/);
  });
  test("refuses a smaller size in the header than there is", () => {
    expect(() => open(patch(deflated, line + 24, 64, 4)).array("zeros")).toThrow(/damaged|header says/);
  });
  test("notices a flipped bit by its checksum", () => {
    const flipped = stored.slice();
    flipped[150] ^= 1;
    expect(() => open(flipped).array("x")).toThrow("f.npz: x.npy: checksum does not match; the archive is damaged");
  });
  test.each([
    ["an empty file", new Uint8Array(0), "is not a zip archive, or it is cut off"],
    ["a wrong magic", patch(stored, 0, 0x1234, 2), "is not a zip archive"],
    ["a cut-off archive", stored.subarray(0, stored.length - 30), "is cut off"],
    ["a directory beyond the end", patch(stored, stored.length - 6, 0x7fffffff, 4), "does not fit its"],
    ["more members than bytes", patch(stored, stored.length - 12, 60000, 2), "zip directory of 60000 members"],
    [
      "an unknown method",
      patch(deflated, line + 10, 12, 2),
      "zeros.npy is packed by method 12, must be stored (0) or deflate (8)",
    ],
    ["encryption", patch(deflated, line + 8, 1, 2), "zeros.npy is encrypted"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => open(bytes)).toThrow(message);
  });
  test("refuses a member that begins nowhere", () => {
    expect(() => open(patch(deflated, line + 42, 3, 4)).array("zeros")).toThrow("no member begins at byte 3");
  });
  test("reads the zip64 records that large archives have", () => {
    const small = zipSync({ big: new TextEncoder().encode("abc") }, { level: 0 });
    const zip = new Zip(bytesSource(withZip64Records(small), "f.zip"));
    expect(zip.read("big")).toEqual(new TextEncoder().encode("abc"));
  });
});
