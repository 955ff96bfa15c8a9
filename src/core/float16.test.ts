import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeFloat16, encodeFloat16, float16 } from "./float16.ts";

const all = Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);

describe("float16", () => {
  test("knows ones, the smallest and the largest", () => {
    expect([0x3c00, 0xbc00, 0x0001, 0x7bff, 0xfc00].map(float16)).toEqual([1, -1, 2 ** -24, 65_504, -Infinity]);
  });
  test("gives every half back that is decoded and encoded again", () => {
    const again = encodeFloat16(decodeFloat16(all));
    const numbers = all.filter((bits) => !Number.isNaN(float16(bits)));
    expect(numbers.length).toBe(2 ** 16 - 2 * 1023);
    expect(numbers.every((bits) => again[bits] === bits)).toBe(true);
  });
  test("encodes to the nearest half, of two to the even one, as a search among all of them does", () => {
    const finite = all.slice(0, 0x7c00); // ascending, not negative
    const nearest = (value: number): number => {
      let best = 0;
      for (const bits of finite) {
        const better = Math.abs(float16(bits) - value) - Math.abs(float16(best) - value);
        if (better < 0 || (better === 0 && bits % 2 === 0)) best = bits;
      }
      return best;
    };
    const between = fc.integer({ min: 0, max: 0x7bfe }).map((bits) => (float16(bits) + float16(bits + 1)) / 2);
    const anyFloat = fc.float({ min: 0, max: 65_504, noNaN: true, minExcluded: false });
    fc.assert(
      fc.property(fc.oneof(between, anyFloat, fc.float({ min: 0, max: Math.fround(1e-4), noNaN: true })), (value) => {
        const single = Math.fround(value);
        expect(encodeFloat16(Float32Array.of(single, -single))).toEqual(
          Uint16Array.of(nearest(single), nearest(single) | 0x8000),
        );
      }),
      { numRuns: 60 },
    );
  });
  test("makes what is too large infinite, and keeps what is no number", () => {
    const bits = encodeFloat16(Float32Array.of(65_519, 65_520, 1e30, -Infinity, Number.NaN));
    expect([...bits]).toEqual([0x7bff, 0x7c00, 0x7c00, 0xfc00, 0x7e00]);
  });
});
