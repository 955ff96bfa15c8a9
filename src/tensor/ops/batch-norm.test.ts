import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, rowsOf, transposed, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { positiveTensor, randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { filled, tensor } from "../tensor.ts";
import { batchNorm } from "./batch-norm.ts";

const backend = createReference();

describe("batchNorm", () => {
  test("centres and scales each column, then applies gamma and beta", async () => {
    const X = tensor(backend, [1, 10, 5, 10], [2, 2]); // columns: mean 3, variance 4; mean 10, variance 0
    const gamma = tensor(backend, [2, 3], [2]);
    const beta = tensor(backend, [0.5, -1], [2]);
    const { Y, mean, variance } = batchNorm(X, gamma, beta, 5);
    expect(await valuesOf(mean)).toEqual([3, 10]);
    expect(await valuesOf(variance)).toEqual([4, 0]);
    await expectValues(Y, [2 * (-2 / 3) + 0.5, -1, 2 * (2 / 3) + 0.5, -1]); // √(4 + 5) = 3
  });

  test("has the gradient finite differences predict, in X, gamma and beta", async () => {
    const X = randomTensor(backend, [6, 3], 61);
    const gamma = positiveTensor(backend, [3], 62);
    await expectGradient((X, g, b) => batchNorm(X, g, b, 1e-2).Y, [X, gamma, randomTensor(backend, [3], 63)], 64);
  });

  test("has columns of mean 0 and variance 1 where gamma is 1 and beta 0, wherever they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: -1000, max: 1000 }), async (seed, offset) => {
        const values = (await valuesOf(randomTensor(backend, [8, 2], seed))).map((x) => x + offset);
        const X = tensor(backend, values, [8, 2]);
        const { Y } = batchNorm(X, filled(backend, [2], 1), filled(backend, [2], 0), 0);
        for (const column of transposed(await rowsOf(Y))) {
          expect(column.reduce((a, b) => a + b) / 8).toBeCloseTo(0, 6);
          expect(column.reduce((a, b) => a + b * b, 0) / 8).toBeCloseTo(1, 6);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("says which argument has the wrong shape", () => {
    const X = filled(backend, [4, 2], 1);
    const two = filled(backend, [2], 1);
    const three = filled(backend, [3], 1);
    expect(() => batchNorm(two, two, two, 0)).toThrow("batchNorm: X must have shape [n, f], got [2]");
    expect(() => batchNorm(X, three, two, 0)).toThrow("batchNorm: gamma must have shape [2], got [3]");
    expect(() => batchNorm(X, two, three, 0)).toThrow("batchNorm: beta must have shape [2], got [3]");
  });
});
