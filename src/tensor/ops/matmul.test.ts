import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, product, rowsOf, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { tensor } from "../tensor.ts";
import { add } from "./elementwise.ts";
import { matmul } from "./matmul.ts";

const backend = createReference();

describe("matmul", () => {
  test("multiplies a 2 × 3 matrix by a 3 × 2 matrix", async () => {
    const A = tensor(backend, [1, 2, 3, 4, 5, 6], [2, 3]);
    const B = tensor(backend, [1, 0, 0, 1, 2, -1], [3, 2]);
    const Y = matmul(A, B);
    expect(Y.shape).toEqual([2, 2]);
    expect(await valuesOf(Y)).toEqual([7, -1, 16, -1]);
  });

  test("has the gradient finite differences predict, in both factors", async () => {
    await expectGradient(matmul, [randomTensor(backend, [4, 3], 1), randomTensor(backend, [3, 5], 2)], 3);
  });

  test("adds up the gradients of a matrix that is both factors and used again", async () => {
    await expectGradient((X) => add(matmul(X, X), matmul(X, matmul(X, X))), [randomTensor(backend, [3, 3], 4)], 5);
  });

  test("equals the sum over the inner index, for any sizes", async () => {
    const size = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(size, size, size, fc.nat(1e6), async (m, k, n, seed) => {
        const A = randomTensor(backend, [m, k], seed);
        const B = randomTensor(backend, [k, n], seed + 1);
        await expectValues(matmul(A, B), product(await rowsOf(A), await rowsOf(B)).flat());
      }),
      { numRuns: 30 },
    );
  });

  test("says which argument has the wrong shape", () => {
    const A = randomTensor(backend, [2, 3], 1);
    expect(() => matmul(A, randomTensor(backend, [2, 3], 2))).toThrow("matmul: B must have shape [3, n], got [2, 3]");
    expect(() => matmul(randomTensor(backend, [3], 1), A)).toThrow("matmul: A must have shape [m, k], got [3]");
  });
});
