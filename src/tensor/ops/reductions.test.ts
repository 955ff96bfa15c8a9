import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { IntTensor } from "../int-tensor.ts";
import { empty, tensor } from "../tensor.ts";
import { affine } from "./elementwise.ts";
import { countEqual, mean, sum, sumSquares } from "./reductions.ts";

const backend = createReference();

describe("sum, mean and sumSquares", () => {
  test("reduce a matrix to one element", async () => {
    const X = tensor(backend, [1, -2, 3, 6], [2, 2]);
    expect(await sum(X).item()).toBe(8);
    expect(await mean(X).item()).toBe(2);
    expect(await sumSquares(X).item()).toBe(50);
    expect(sum(X).shape).toEqual([1]);
  });

  test.each(Object.entries({ sum, mean, sumSquares }))(
    "%s has the gradient finite differences predict",
    async (_, reduce) => {
      await expectGradient((X) => affine(reduce(X), 3), [randomTensor(backend, [3, 4], 21)], 22);
    },
  );

  test("agree with adding up one after the other, for any length", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.nat(1e6), async (n, seed) => {
        const x = randomTensor(backend, [n], seed);
        const values = await valuesOf(x);
        const total = values.reduce((a, b) => a + b);
        await expectValues(sum(x), [total]);
        await expectValues(mean(x), [total / n]);
        await expectValues(sumSquares(x), [values.reduce((a, b) => a + b * b, 0)]);
      }),
      { numRuns: 30 },
    );
  });

  test("of nothing: the sum is 0 and there is no mean", async () => {
    expect(await sum(empty(backend, [0, 3])).item()).toBe(0);
    expect(() => mean(empty(backend, [0, 3]))).toThrow("mean: the tensor is empty");
  });
});

describe("countEqual", () => {
  test("counts the places where two index vectors agree", async () => {
    const a = IntTensor.from(backend, [1, 2, 3, 0]);
    const b = IntTensor.from(backend, [1, 3, 3, 0]);
    expect(await countEqual(a, b).item()).toBe(3);
  });

  test("refuses vectors of different lengths", () => {
    const a = IntTensor.from(backend, [1, 2]);
    const b = IntTensor.from(backend, [1]);
    expect(() => countEqual(a, b)).toThrow("countEqual: 2 entries against 1");
  });
});
