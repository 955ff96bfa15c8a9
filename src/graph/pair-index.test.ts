import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairAt, pairCount, pairIndex } from "./pair-index.ts";

const LARGE = [140_000_000, 200_000_000];

describe("pairIndex", () => {
  test("numbers the upper triangle of four nodes row by row", () => {
    const pairs = Array.from({ length: 6 }, (_, index) => pairAt(4, false, BigInt(index)));
    expect(pairs).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
  });
  test("numbers the directed pairs of three nodes without the diagonal", () => {
    const pairs = Array.from({ length: 6 }, (_, index) => pairAt(3, true, BigInt(index)));
    expect(pairs).toEqual([
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 1],
    ]);
  });
  test.each([true, false])("numbers all pairs of small graphs once, in ascending order (directed: %s)", (directed) => {
    for (let n = 0; n <= 24; n++) {
      let expected = 0n;
      for (let i = 0; i < n; i++) {
        for (let j = directed ? 0 : i + 1; j < n; j++) {
          if (i === j) continue;
          expect(pairIndex(n, directed, i, j)).toBe(expected);
          expect(pairAt(n, directed, expected)).toEqual([i, j]);
          expected++;
        }
      }
      expect(pairCount(n, directed)).toBe(expected);
    }
  });
  test("counts the pairs of 200 million nodes exactly", () => {
    expect(pairCount(200_000_000, false)).toBe(19_999_999_900_000_000n);
    expect(pairCount(200_000_000, true)).toBe(39_999_999_800_000_000n);
  });
  test.each(LARGE)("is exact at the first and last pair of any row of %d nodes", (n) => {
    const rows = Array.from({ length: 5000 }, (_, t) => Math.floor((t * (n - 2)) / 4999));
    for (const i of [...rows, 1, 2, n - 4, n - 3]) {
      const first = (BigInt(i) * BigInt(2 * n - i - 1)) / 2n; // Σ of the rows before: (n − 1) + … + (n − i)
      expect(pairIndex(n, false, i, i + 1)).toBe(first);
      expect(pairAt(n, false, first)).toEqual([i, i + 1]);
      if (i > 0) expect(pairAt(n, false, first - 1n)).toEqual([i - 1, n - 1]);
    }
  });
  test("leads from any pair of up to 200 million nodes to its index and back", () => {
    const anyPair = fc
      .integer({ min: 2, max: 200_000_000 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat(n - 1), fc.nat(n - 1)));
    fc.assert(
      fc.property(anyPair, ([n, a, b]) => {
        fc.pre(a !== b);
        expect(pairAt(n, true, pairIndex(n, true, a, b))).toEqual([a, b]);
        const i = Math.min(a, b);
        const j = Math.max(a, b);
        expect(pairAt(n, false, pairIndex(n, false, i, j))).toEqual([i, j]);
      }),
    );
  });
  test("leads from any index to its pair and back", () => {
    const anyIndex = fc
      .tuple(fc.integer({ min: 2, max: 200_000_000 }), fc.boolean())
      .chain(([n, directed]) =>
        fc.tuple(fc.constant(n), fc.constant(directed), fc.bigInt(0n, pairCount(n, directed) - 1n)),
      );
    fc.assert(
      fc.property(anyIndex, ([n, directed, index]) => {
        const [i, j] = pairAt(n, directed, index);
        expect(pairIndex(n, directed, i, j)).toBe(index);
      }),
    );
  });
  test("says which index or pair does not exist", () => {
    expect(() => pairAt(4, false, 6n)).toThrow("pairAt: index 6 must be in 0 … 5 for 4 nodes");
    expect(() => pairAt(4, true, -1n)).toThrow("index -1");
    expect(() => pairIndex(4, false, 2, 2)).toThrow("(2, 2) is not an undirected pair of 4 nodes");
    expect(() => pairIndex(4, true, 1, 4)).toThrow("(1, 4) is not a directed pair of 4 nodes");
  });
});
