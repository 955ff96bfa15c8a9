import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mulHigh, philox } from "./philox.ts";

function hex(key: [number, number], counter: [number, number, number, number]): string[] {
  const out = new Uint32Array(4);
  philox(out, { lo: key[0], hi: key[1] }, ...counter);
  return Array.from(out, (word) => word.toString(16).padStart(8, "0"));
}

describe("philox", () => {
  test("gives the published words of Random123's known-answer file", () => {
    const ones = 0xffffffff;
    expect(hex([0, 0], [0, 0, 0, 0])).toEqual(["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]);
    expect(hex([ones, ones], [ones, ones, ones, ones])).toEqual(["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]);
    expect(hex([0xa4093822, 0x299f31d0], [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344])).toEqual([
      "d16cfe09",
      "94fdcceb",
      "5001e420",
      "24126ea1",
    ]);
  });
  test("changes about half of its bits when one bit of the counter or of the key changes", () => {
    const a = new Uint32Array(4);
    const b = new Uint32Array(4);
    let changed = 0;
    for (let c = 0; c < 1000; c++) {
      philox(a, { lo: 5, hi: 0 }, c);
      philox(b, c % 2 ? { lo: 4, hi: 0 } : { lo: 5, hi: 0 }, c % 2 ? c : c ^ (1 << (c % 31)));
      for (let w = 0; w < 4; w++) changed += bitCount(a[w] ^ b[w]);
    }
    expect(changed / 128_000).toBeCloseTo(0.5, 2);
  });
});

describe("mulHigh", () => {
  test("is the upper half of the exact product of any two words", () => {
    const word = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0, 1, 0xffff, 0x10000, 0xffffffff));
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(mulHigh(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
      }),
      { numRuns: 1000 },
    );
  });
});

function bitCount(word: number): number {
  let count = 0;
  for (let bits = word >>> 0; bits; bits &= bits - 1) count++;
  return count;
}
