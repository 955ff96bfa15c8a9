import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../../../test/support/pickle-writer.ts";
import { python, testWithNumpy } from "../../../test/support/python.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { formatNpy, parseNpy } from "./npy.ts";
import { toCounts, toFloat32, toInt32, toLabels } from "./npy-cast.ts";
import type { NpyData } from "./npy-dtype.ts";
import { formatNpyHeader } from "./npy-header.ts";

const numbers = (data: NpyData) => Array.from(data as ArrayLike<number | bigint>, Number);

describe("parseNpy", () => {
  test("reads back what formatNpy writes, for every type", () => {
    const arrays = [
      Int8Array,
      Uint8Array,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float32Array,
      Float64Array,
    ];
    for (const Type of arrays) {
      const { data, shape } = parseNpy(formatNpy(Type.of(1, 2, 100, 7, 5, 6), [2, 3]), "a.npy");
      expect([data.constructor, [...shape], numbers(data)]).toEqual([Type, [2, 3], [1, 2, 100, 7, 5, 6]]);
    }
    expect(parseNpy(formatNpy(BigInt64Array.of(-1n, 2n ** 40n)), "a").data).toEqual(BigInt64Array.of(-1n, 2n ** 40n));
    expect(parseNpy(formatNpy(BigUint64Array.of(2n ** 63n)), "a").data).toEqual(BigUint64Array.of(2n ** 63n));
  });
  test("begins the values at a multiple of 64 bytes, as NumPy does", () => {
    expect(formatNpyHeader("<f4", [3]).length).toBe(128);
    expect(formatNpyHeader("<f4", new Array(60).fill(1)).length % 64).toBe(0);
  });
  test("reads big-endian numbers", () => {
    const { data } = parseNpy(bytesOf(formatNpyHeader(">i4", [2]), "\x00\x00\x01\x02\xff\xff\xff\xfe"), "a");
    expect(numbers(data)).toEqual([258, -2]);
  });
  test("widens half floats, subnormal ones and infinity included", () => {
    const halves = new Uint8Array(Uint16Array.of(0x3c00, 0xc100, 0x0001, 0x7c00, 0x3555).buffer);
    const { data, dtype } = parseNpy(bytesOf(formatNpyHeader("<f2", [5]), halves), "a");
    expect(numbers(data)).toEqual([1, -2.5, 2 ** -24, Number.POSITIVE_INFINITY, 0.333251953125]);
    expect(dtype).toBe("f4");
  });
  test("turns Fortran order into C order", () => {
    const header = bytesOf(formatNpyHeader("|i1", [2, 3])).map((byte) => byte);
    const text = String.fromCharCode(...header).replace("False", "True ");
    expect(numbers(parseNpy(bytesOf(text, "\x01\x04\x02\x05\x03\x06"), "a").data)).toEqual([1, 2, 3, 4, 5, 6]);
  });
  test("reads text", () => {
    const characters = new Uint8Array(Uint32Array.of(0x47, 0x4e, 0x1f600, 0).buffer);
    expect(parseNpy(bytesOf(formatNpyHeader("<U2", [2]), characters), "a").texts).toEqual(["GN", "😀"]);
  });
  test("never unpickles objects", () => {
    const bytes = bytesOf(formatNpyHeader("|O", []), "\x80\x02N.");
    expect(() => parseNpy(bytes, "f.npz: metadata")).toThrow("f.npz: metadata: holds pickled Python objects");
  });
  test.each([
    ["a wrong magic", bytesOf("\x93NUMPI\x01\x00v\x00"), "must begin with the .npy magic"],
    ["no bytes", bytesOf(), "at least 10 bytes, got 0"],
    ["a version of the future", bytesOf("\x93NUMPY\x09\x00v\x00"), "version must be 1, 2 or 3, got 9"],
    [
      "an impossible header length",
      bytesOf("\x93NUMPY\x01\x00\xff\xff{}"),
      "header of 65535 bytes is longer than the 2",
    ],
    [
      "a long header of version 2",
      bytesOf("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"),
      "header of 4294967295 bytes is longer",
    ],
    [
      "a header without shape",
      bytesOf("\x93NUMPY\x01\x00\x2f\x00{'descr': '<f4', 'fortran_order': False,        }"),
      "needs 'shape'",
    ],
    [
      "a structured type",
      bytesOf("\x93NUMPY\x01\x00\x44\x00{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }    "),
      "needs 'descr' with a plain type",
    ],
    ["an unknown type", bytesOf(formatNpyHeader("<M8", [1]), "12345678"), 'type "<M8" must be'],
    [
      "fewer bytes than its shape",
      bytesOf(formatNpyHeader("<f4", [3]), "12345678"),
      "shape (3) needs 12 bytes, but 8 follow",
    ],
    ["more bytes than its shape", bytesOf(formatNpyHeader("<f4", [1]), "12345678"), "needs 4 bytes, but 8 follow"],
    [
      "a shape beyond all memory",
      bytesOf(formatNpyHeader("<f8", [999999999999999, 999999999999999]), "1"),
      "but 1 follow",
    ],
    ["a boolean of 2", bytesOf(formatNpyHeader("|b1", [2]), "\x01\x02"), "must hold 0 and 1, got 2 at position 1"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => parseNpy(bytes, "bad.npy")).toThrow(message);
  });
  testWithNumpy("reads what NumPy writes, for every type, byte order and version", () => {
    const folder = temporaryFolder();
    const program = `
import numpy as np, sys, itertools
from numpy.lib import format
values = [[0, 1, 2], [3, 100, 5]]
names = ['b1','i1','u1','i2','u2','i4','u4','i8','u8','f2','f4','f8']
for k, (d, o, v) in enumerate(itertools.product(names, '<>', [(1,0),(2,0),(3,0)])):
    for order in 'CF':
        with open(f'{sys.argv[1]}/{k}{order}.npy', 'wb') as f:
            format.write_array(f, np.array(values, dtype=o+d, order=order), version=v)
print(k + 1)`;
    const count = Number(python(program, folder));
    expect(count).toBe(72);
    for (let k = 0; k < count; k++) {
      for (const order of "CF") {
        const { data, shape } = parseNpy(
          new Uint8Array(readFileSync(join(folder, `${k}${order}.npy`))),
          `${k}${order}`,
        );
        expect([...shape]).toEqual([2, 3]);
        expect(numbers(data)).toEqual(k < 6 ? [0, 1, 1, 1, 1, 1] : [0, 1, 2, 3, 100, 5]);
      }
    }
  });
});

describe("casts", () => {
  const array = (data: NpyData) => ({ dtype: "", shape: [data.length], data });
  test("narrow 64-bit integers, negative ones too", () => {
    expect([...toInt32(array(BigInt64Array.of(-5n, 2n ** 31n - 1n)), "x")]).toEqual([-5, 2 ** 31 - 1]);
  });
  test("refuse integers that do not fit, and name them", () => {
    expect(() => toInt32(array(BigInt64Array.of(0n, 2n ** 31n)), "f: x")).toThrow("f: x: 2147483648 at position 1");
    expect(() => toInt32(array(BigUint64Array.of(2n ** 31n)), "f: x")).toThrow("2147483648");
    expect(() => toInt32(array(Uint32Array.of(2 ** 32 - 1)), "f: x")).toThrow("4294967295");
    expect(() => toInt32(array(Float64Array.of(0.5)), "f: x")).toThrow("0.5 at position 0 must be a 32-bit integer");
  });
  test("refuse negative counts", () => {
    expect(() => toCounts(array(BigInt64Array.of(-1n)), "f: x")).toThrow("-1 at position 0 must be a count");
  });
  test("read NaN labels as unknown", () => {
    expect([...toLabels(array(Float32Array.of(2, Number.NaN)), "x")]).toEqual([2, -1]);
  });
  test("refuse text where numbers belong", () => {
    expect(() => toFloat32({ ...array(new Uint8Array(0)), texts: ["a"] }, "f: x")).toThrow("f: x: must hold numbers");
  });
});
