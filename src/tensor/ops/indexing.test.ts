import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOf, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { IntTensor } from "../int-tensor.ts";
import { tensor } from "../tensor.ts";
import { add } from "./elementwise.ts";
import { argmaxRows, gatherRows, pick } from "./indexing.ts";
import { sum } from "./reductions.ts";

const backend = createReference();
const index = (...values: number[]) => IntTensor.from(backend, values);
const X = tensor(backend, [1, 9, 3, 4, 5, 6], [3, 2]);

describe("gatherRows", () => {
  test("takes rows in the order of the index, one more than once", async () => {
    expect(await rowsOf(gatherRows(X, index(2, 0, 2)))).toEqual([
      [5, 6],
      [1, 9],
      [5, 6],
    ]);
  });

  test("has the gradient finite differences predict, also where a row is taken twice or the matrix used again", async () => {
    const M = randomTensor(backend, [4, 3], 51);
    await expectGradient((M) => gatherRows(M, index(3, 1, 3)), [M], 52);
    await expectGradient((M) => add(gatherRows(M, index(0, 0, 1, 2)), M), [M], 53);
  });

  test("of all rows is the matrix, of none is empty", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.nat(1e6), async (n, seed) => {
        const M = randomTensor(backend, [n, 2], seed);
        expect(await valuesOf(gatherRows(M, index(...Array(n).keys())))).toEqual(await valuesOf(M));
        expect(gatherRows(M, index()).shape).toEqual([0, 2]);
      }),
      { numRuns: 20 },
    );
  });

  test("refuses rows that do not exist and tensors that are not matrices", () => {
    expect(() => gatherRows(X, index(0, 3))).toThrow("gatherRows: rows must be in 0 … 2, got 3");
    expect(() => gatherRows(sum(X), index(0))).toThrow("gatherRows: X must have shape [n, f], got [1]");
  });
});

describe("pick", () => {
  test("takes one entry of each row", async () => {
    expect(await valuesOf(pick(X, index(1, 0, 1)))).toEqual([9, 3, 6]);
  });

  test("has the gradient finite differences predict, also where the matrix is used twice", async () => {
    const M = randomTensor(backend, [3, 4], 54);
    await expectGradient((M) => pick(M, index(3, 0, 3)), [M], 55);
    await expectGradient((M) => add(pick(M, index(3, 0, 3)), pick(M, index(3, 1, 2))), [M], 56);
  });

  test("wants one column per row", () => {
    expect(() => pick(X, index(0, 1))).toThrow("pick: X must have shape [2, f], got [3, 2]");
    expect(() => pick(X, index(0, 1, 2))).toThrow("pick: columns must be in 0 … 1, got 2");
  });
});

describe("argmaxRows", () => {
  test("names the largest entry of each row, the first on ties, passing over one column", async () => {
    const M = tensor(backend, [1, 9, 3, 4, 4, 0], [2, 3]);
    expect([...(await argmaxRows(M).read())]).toEqual([1, 0]);
    expect([...(await argmaxRows(M, index(1, 0)).read())]).toEqual([2, 1]);
  });

  test("picks an entry that no other exceeds, in any matrix", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 1, max: 6 }), async (seed, cols) => {
        const M = randomTensor(backend, [5, cols], seed);
        const top = await valuesOf(pick(M, argmaxRows(M)));
        expect(top).toEqual((await rowsOf(M)).map((row) => Math.max(...row)));
      }),
      { numRuns: 20 },
    );
  });

  test("wants a matrix", () => {
    expect(() => argmaxRows(sum(X))).toThrow("argmaxRows: X must have shape [n, f], got [1]");
  });
});

describe("indices from the host", () => {
  test("must lie in the matrix", () => {
    const M = tensor(backend, [1, 2, 3, 4], [2, 2]);
    expect(() => gatherRows(M, index(0, 2))).toThrow("gatherRows: rows must be in 0 … 1, got 2");
    expect(() => pick(M, index(-1, 0))).toThrow("pick: columns must be in 0 … 1, got -1");
  });
});
