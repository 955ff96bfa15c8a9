import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { positiveTensor, randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { valueAndGrad } from "../tape.ts";
import { tensor } from "../tensor.ts";
import * as ops from "./elementwise.ts";
import { sum } from "./reductions.ts";

const backend = createReference();
const vector = (...values: number[]) => tensor(backend, values, [values.length]);

describe("functions of one tensor", () => {
  test("map each entry", async () => {
    const x = vector(-1, 0, 4);
    expect(await valuesOf(ops.relu(x))).toEqual([0, 0, 4]);
    await expectValues(ops.leakyRelu(x), [-0.2, 0, 4]);
    await expectValues(ops.elu(x), [Math.exp(-1) - 1, 0, 4]);
    expect(await valuesOf(ops.square(x))).toEqual([1, 0, 16]);
    await expectValues(ops.tanh(x), [Math.tanh(-1), 0, Math.tanh(4)]);
    await expectValues(ops.exp(x), [Math.exp(-1), 1, Math.exp(4)]);
    await expectValues(ops.log(vector(1, Math.E)), [0, 1]);
    expect(await valuesOf(ops.sqrt(vector(0, 9)))).toEqual([0, 3]);
    expect(await valuesOf(ops.affine(x, 2, 1))).toEqual([-1, 1, 9]);
  });

  test("that divide map 0 to 0, with gradient 0, so that an isolated node counts for nothing", async () => {
    for (const f of [ops.rsqrt, ops.reciprocal]) {
      const x = vector(0, 4);
      const { grads } = valueAndGrad(() => [sum(f(x))], [x]);
      expect((await valuesOf(f(x)))[0]).toBe(0);
      expect(Math.abs((await valuesOf(grads[0]))[0])).toBe(0);
    }
    expect(await valuesOf(ops.rsqrt(vector(4)))).toEqual([0.5]);
    expect(await valuesOf(ops.reciprocal(vector(4)))).toEqual([0.25]);
  });

  const { relu, leakyRelu, elu, tanh, exp, square, log, sqrt, rsqrt, reciprocal } = ops;
  const anywhere = Object.entries({ relu, leakyRelu, elu, tanh, exp, square });
  test.each(anywhere)("%s has the gradient finite differences predict", async (_, f) => {
    await expectGradient(f, [randomTensor(backend, [3, 4], 11)], 12);
  });

  const aboveZero = Object.entries({ log, sqrt, rsqrt, reciprocal });
  test.each(aboveZero)("%s has the gradient finite differences predict, above zero", async (_, f) => {
    await expectGradient(f, [positiveTensor(backend, [3, 4], 13)], 14);
  });

  test("affine has slope a", async () => {
    await expectGradient((X) => ops.affine(X, -3, 7), [randomTensor(backend, [5], 1)], 2);
  });
});

describe("functions of two tensors", () => {
  test("combine entry by entry", async () => {
    const a = vector(6, -2);
    const b = vector(3, 4);
    expect(await valuesOf(ops.add(a, b))).toEqual([9, 2]);
    expect(await valuesOf(ops.sub(a, b))).toEqual([3, -6]);
    expect(await valuesOf(ops.mul(a, b))).toEqual([18, -8]);
    expect(await valuesOf(ops.div(a, b))).toEqual([2, -0.5]);
  });

  const { add, sub, mul, div } = ops;
  const binary = Object.entries({ add, sub, mul, div });
  test.each(binary)("%s has the gradient finite differences predict, in both inputs", async (_, f) => {
    await expectGradient(f, [randomTensor(backend, [2, 3], 15), positiveTensor(backend, [2, 3], 16)], 17);
  });

  test.each(binary)("%s of a tensor with itself adds up both gradients", async (_, f) => {
    await expectGradient((X) => f(X, X), [positiveTensor(backend, [4], 18)], 19);
  });

  test("undo each other: (a + b) − b = a and (a · b) / b = a", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 0, max: 9 }), async (seed, n) => {
        const a = randomTensor(backend, [n], seed);
        const b = positiveTensor(backend, [n], seed + 1);
        await expectValues(ops.sub(ops.add(a, b), b), await valuesOf(a));
        await expectValues(ops.div(ops.mul(a, b), b), await valuesOf(a));
      }),
      { numRuns: 30 },
    );
  });

  test("say which argument has the wrong shape", () => {
    expect(() => ops.mul(vector(1, 2), vector(1))).toThrow("mul: B must have shape [2], got [1]");
    expect(() => ops.add(tensor(backend, [1, 2], [2, 1]), vector(1, 2))).toThrow(
      "add: B must have shape [2, 1], got [2]",
    );
  });
});

describe("dropout", () => {
  const key = new Rng(5).nextKey();

  test("zeroes about the given share and scales the rest", async () => {
    const kept = (
      await valuesOf(ops.dropout(tensor(backend, new Float64Array(4000).fill(1), [4000]), 0.75, key))
    ).filter((value) => value !== 0);
    expect(new Set(kept)).toEqual(new Set([4]));
    expect(kept.length).toBeGreaterThan(880); // 1000 ± 4.4 standard deviations of 27
    expect(kept.length).toBeLessThan(1120);
  });

  test("masks its gradient as it masked its input", async () => {
    await expectGradient((X) => ops.dropout(X, 0.5, key), [randomTensor(backend, [6, 5], 1)], 2);
  });

  test("of rate 0 is the tensor itself", () => {
    const X = vector(1, 2);
    expect(ops.dropout(X, 0, key)).toBe(X);
  });

  test("refuses a rate that leaves nothing", () => {
    expect(() => ops.dropout(vector(1), 1, key)).toThrow("dropout: rate must be in [0, 1), got 1");
  });
});
