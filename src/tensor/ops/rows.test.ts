import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, rowsOf, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { tensor } from "../tensor.ts";
import { exp } from "./elementwise.ts";
import { addBias, logSoftmax, scaleCols, scaleRows, softmax } from "./rows.ts";

const backend = createReference();
const X = tensor(backend, [1, 2, 3, 4, 5, 6], [2, 3]);

describe("scaleRows, scaleCols and addBias", () => {
  test("work row by row or column by column", async () => {
    const rows = tensor(backend, [10, -1], [2]);
    const cols = tensor(backend, [1, 0, 2], [3]);
    expect(await valuesOf(scaleRows(X, rows))).toEqual([10, 20, 30, -4, -5, -6]);
    expect(await valuesOf(scaleCols(X, cols))).toEqual([1, 0, 6, 4, 0, 12]);
    expect(await valuesOf(addBias(X, cols))).toEqual([2, 2, 5, 5, 5, 8]);
  });

  test("have the gradient finite differences predict, in the matrix and in the vector", async () => {
    const M = randomTensor(backend, [4, 3], 31);
    await expectGradient(scaleRows, [M, randomTensor(backend, [4], 32)], 33);
    await expectGradient(scaleCols, [M, randomTensor(backend, [3], 34)], 35);
    await expectGradient(addBias, [M, randomTensor(backend, [3], 36)], 37);
  });

  test("say which argument has the wrong shape", () => {
    const two = tensor(backend, [1, 1], [2]);
    expect(() => scaleRows(two, two)).toThrow("scaleRows: X must have shape [n, f], got [2]");
    expect(() => scaleRows(X, X)).toThrow("scaleRows: s must have shape [2], got [2, 3]");
    expect(() => scaleCols(X, two)).toThrow("scaleCols: s must have shape [3], got [2]");
    expect(() => addBias(X, two)).toThrow("addBias: b must have shape [3], got [2]");
  });
});

describe("softmax and logSoftmax", () => {
  test("of a row with odds 1 : 3", async () => {
    const odds = tensor(backend, [0, Math.log(3)], [1, 2]);
    await expectValues(softmax(odds), [0.25, 0.75]);
    await expectValues(logSoftmax(odds), [Math.log(0.25), Math.log(0.75)]);
  });

  test("have the gradient finite differences predict", async () => {
    await expectGradient(softmax, [randomTensor(backend, [3, 4], 41)], 42);
    await expectGradient(logSoftmax, [randomTensor(backend, [3, 4], 43)], 44);
  });

  test("give probabilities, and their logarithms, for logits of any size", async () => {
    const logit = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(logit, { minLength: 1, maxLength: 6 }), async (logits) => {
        const row = tensor(backend, logits, [1, logits.length]);
        const [p] = await rowsOf(softmax(row));
        expect(p!.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
        await expectValues(exp(logSoftmax(row)), p!);
      }),
      { numRuns: 50 },
    );
  });

  test("want a matrix", () => {
    const vector = tensor(backend, [1, 2], [2]);
    expect(() => softmax(vector)).toThrow("softmax: X must have shape [n, f], got [2]");
    expect(() => logSoftmax(vector)).toThrow("logSoftmax: X must have shape [n, f], got [2]");
  });
});
