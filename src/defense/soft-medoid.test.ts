import { describe, expect, test } from "vitest";
import { expectValues, rowsOf, valuesOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { matrixOf, randomWeights } from "../../test/support/weighted-rows.ts";
import { createReference } from "../backend/reference/reference.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { spmm, sum, tensor, valueAndGrad } from "../tensor/index.ts";
import { softMedoid } from "./soft-medoid.ts";

const backend = createReference();

describe("softMedoid", () => {
  test("of two points is the weighted mean worked by hand", async () => {
    // weights 1 and 3 at 0 and 2: δ = 6 and 2; with T = 2, s ∝ e^(−3), e^(−1); W = 4
    const Y = softMedoid(matrixOf(backend, [[1, 3]]), tensor(backend, [0, 2], [2, 1]), { temperature: 2 });
    const a = Math.exp(-3);
    const b = 3 * Math.exp(-1);
    await expectValues(Y, [(4 * 2 * b) / (a + b)]);
  });

  test("approaches the weighted medoids times the row sums as T goes to 0", async () => {
    const weights = [
      [0.5, 0.3, 0, 0.4],
      [0.3, 0.2, 0, 0],
      [0, 0, 0.9, 0.3],
      [0.4, 0, 0.4, 0.4],
    ];
    const points = [
      [-10, 10, 10],
      [-1, 1, 1],
      [0, 0, 0],
      [10, -10, -10],
    ];
    const X = tensor(backend, points.flat(), [4, 3]);
    const Y = await rowsOf(softMedoid(matrixOf(backend, weights), X, { temperature: 0.01 }));
    for (const [i, medoid] of [1, 0, 2, 2].entries()) {
      const total = weights[i].reduce((a, b) => a + b, 0);
      for (const [c, x] of points[medoid].entries()) expect(Y[i][c]).toBeCloseTo(total * x, 5);
    }
  });

  test("approaches the sparse product as T goes to infinity, with weight correction", async () => {
    const P = matrixOf(backend, randomWeights(8, 9, 0.6, 1));
    const X = randomTensor(backend, [9, 5], 2);
    await expectValues(softMedoid(P, X, { temperature: 1e9 }), await valuesOf(spmm(P, X)), 1e-7);
  });

  test("with whole weights is that of points repeated as often", async () => {
    const X = randomTensor(backend, [3, 4], 3);
    const rows = await rowsOf(X);
    const repeated = tensor(
      backend,
      [0, 0, 1, 2, 2, 2].flatMap((j) => rows[j]),
      [6, 4],
    );
    const plain = softMedoid(matrixOf(backend, [[1, 1, 1, 1, 1, 1]]), repeated, { temperature: 3 });
    await expectValues(softMedoid(matrixOf(backend, [[2, 1, 3]]), X, { temperature: 3 }), await valuesOf(plain));
  });

  test("has the gradient finite differences predict in the features, with and without weight correction", async () => {
    const P = matrixOf(backend, randomWeights(7, 8, 0.6, 4));
    for (const weightCorrection of [true, false]) {
      await expectGradient(
        (X) => softMedoid(P, X!, { temperature: 4, weightCorrection }),
        [randomTensor(backend, [8, 5], 5)],
        6,
      );
    }
  });

  test("does not depend on the number of threads, to the bit", async () => {
    const runs = await Promise.all(
      [1, 3].map(async (threads) => {
        const wasm = await createWasm({ threads });
        const P = matrixOf(wasm, randomWeights(100, 80, 0.3, 8));
        const X = randomTensor(wasm, [80, 20], 9);
        const { value, grads } = valueAndGrad(() => [sum(softMedoid(P, X, { temperature: 5 }))], [X]);
        const all = await Promise.all([value, ...grads].map(valuesOf));
        await wasm.close();
        return all;
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
  });

  test("refuses a temperature that is not above 0", () => {
    const P = matrixOf(backend, [[1]]);
    expect(() => softMedoid(P, tensor(backend, [1], [1, 1]), { temperature: -1 })).toThrow("must be above 0, got -1");
  });
});
