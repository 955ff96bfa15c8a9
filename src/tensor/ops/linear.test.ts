import { describe, expect, test } from "vitest";
import { expectValues } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { tensor } from "../tensor.ts";
import { linear } from "./linear.ts";

const backend = createReference();

describe("linear", () => {
  const X = tensor(backend, [1, 2, 3, 4], [2, 2]);
  const W = tensor(backend, [1, 0, 0, -1], [2, 2]);
  const bias = tensor(backend, [10, 3], [2]);

  test("multiplies, adds the bias and cuts off below 0, each where it is asked for", async () => {
    await expectValues(linear(X, W, { bias: null, relu: false }), [1, -2, 3, -4]);
    await expectValues(linear(X, W, { bias, relu: false }), [11, 1, 13, -1]);
    await expectValues(linear(X, W, { bias: null, relu: true }), [1, 0, 3, 0]);
    await expectValues(linear(X, W, { bias, relu: true }), [11, 1, 13, 0]);
  });

  const { reluGradProduct: _, ...severalPasses } = backend;
  test.each([
    { relu: true, backend },
    { relu: true, backend: severalPasses as Backend },
    { relu: false, backend },
  ])("has the gradient finite differences predict, relu: $relu, one pass: $backend.reluGradProduct", async (on) => {
    const { relu, backend } = on;
    const inputs = [
      randomTensor(backend, [7, 3], 1),
      randomTensor(backend, [3, 5], 2),
      randomTensor(backend, [5], 3),
    ] as const;
    await expectGradient((X, W, bias) => linear(X!, W!, { bias: bias!, relu }), inputs, 4);
  });

  test("says which argument has the wrong shape", () => {
    expect(() => linear(X, W, { bias: tensor(backend, [1], [1]), relu: false })).toThrow(
      "linear: bias must have shape [2], got [1]",
    );
  });
});
