import fc from "fast-check";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { expect, test } from "vitest";
import { DataError } from "../../core/errors.ts";
import { unpackSnappy } from "./snappy.ts";

test("unpacks what was packed", () => {
  const repetitive = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 3000 }))
    .map(([piece, times]) => Uint8Array.from({ length: piece.length * times }, (_, i) => piece[i % piece.length]));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), repetitive);
  fc.assert(
    fc.property(bytes, (content) => {
      const unpacked = unpackSnappy(snappyCompress(content), content.length, "here");
      expect(Buffer.compare(unpacked, content)).toBe(0);
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("unpacks elements of every kind", () => {
  const long = [61 << 2, 2, 0, 97, 98, 99]; // a literal whose length takes two bytes: 3
  const near = [(0 << 2) | 1, 3]; // 4 bytes from 3 back
  const far = [(1 << 2) | 2, 7, 0]; // 2 bytes from 7 back
  const farthest = [(1 << 2) | 3, 1, 0, 0, 0]; // 2 bytes from 1 back
  const packed = Uint8Array.of(11, ...long, ...near, ...far, ...farthest);
  expect(new TextDecoder().decode(unpackSnappy(packed, 11, "here"))).toBe("abcabcaabbb");
});

test.each([
  ["nothing", [], 3],
  ["a literal that is cut off", [3, 2 << 2, 97], 3],
  ["a literal of a length that is cut off", [3, 63 << 2, 250, 255], 3],
  ["a literal of nearly 2^32 bytes", [3, 63 << 2, 250, 255, 255, 255, 97, 98, 99], 3],
  ["a copy from before the begin", [4, (0 << 2) | 1, 1], 4],
  ["a copy from nowhere", [5, 0, 97, (0 << 2) | 1, 0], 5],
  ["a copy without a place", [5, 0, 97, (0 << 2) | 2], 5],
  ["more than was promised", [1, 1 << 2, 97, 98], 1],
  ["less than was promised", [3, 1 << 2, 97, 98], 3],
  ["a length that nothing so short unpacks to", [1, 0, 97], 2 ** 31],
])("refuses %s", (_, packed, length) => {
  expect(() => unpackSnappy(Uint8Array.from(packed), length, "here")).toThrow(DataError);
});
