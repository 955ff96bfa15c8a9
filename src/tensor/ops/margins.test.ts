import { describe, expect, test } from "vitest";
import { expectValues } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { IntTensor } from "../int-tensor.ts";
import { tensor } from "../tensor.ts";
import { tanh } from "./elementwise.ts";
import { countCorrect, margins } from "./margins.ts";
import { mean } from "./reductions.ts";

describe.each([
  ["in one kernel", createReference()],
  ["of several", createReference({ fused: false })],
])("margins, %s", (_, backend) => {
  test("compare an entry of each row with the largest other", async () => {
    const X = tensor(backend, [1, 5, 3, 9, 2, 2], [2, 3]);
    await expectValues(margins(X, IntTensor.from(backend, [1, 2])), [2, -7]);
    await expectValues(margins(X, IntTensor.from(backend, [0, 0])), [-4, 7]);
  });
  test("have the gradient finite differences predict", async () => {
    const column = IntTensor.from(backend, [0, 3, 2, 2, 1]);
    await expectGradient((X) => margins(X!, column), [randomTensor(backend, [5, 4], 1)], 2);
  });
  test("have a mean tanh and a number of largest entries, with the gradient finite differences predict", async () => {
    const X = tensor(backend, [1, 1.5, 1, 9, 2, 2], [2, 3]);
    const labels = IntTensor.from(backend, [1, 2]);
    await expectValues(mean(tanh(margins(X, labels)), -2), [-(Math.tanh(0.5) + Math.tanh(-7))]);
    await expectValues(countCorrect(X, labels), [1]);
    const column = IntTensor.from(backend, [0, 3, 2, 2, 1]);
    await expectGradient((X) => mean(tanh(margins(X!, column)), -3), [randomTensor(backend, [5, 4], 1)], 2);
  });
  test("need another entry", () => {
    const X = tensor(backend, [1, 2], [2, 1]);
    expect(() => margins(X, IntTensor.from(backend, [0, 0]))).toThrow("margins: rows of 1 have no other entry");
  });
});
