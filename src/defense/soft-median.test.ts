import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, rowsOf, valuesOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { matrixOf, randomWeights } from "../../test/support/weighted-rows.ts";
import { createReference } from "../backend/reference/reference.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { type SparseMatrix, spmm, sum, type Tensor, tensor, valueAndGrad } from "../tensor/index.ts";
import { softMedian } from "./soft-median.ts";

const backend = createReference();

/** Rows whose medoids, as weighed, are the points 1, 0, 2 and 2. */
const WEIGHTS = [
  [0.5, 0.3, 0, 0.4],
  [0.3, 0.2, 0, 0],
  [0, 0, 0.9, 0.3],
  [0.4, 0, 0.4, 0.4],
];
const POINTS = [
  [-10, 10, 10],
  [-1, 1, 1],
  [0, 0, 0],
  [10, -10, -10],
];

describe("softMedian", () => {
  test("of three points on a line is the weighted mean worked by hand", async () => {
    // weights ¼, ½, ½ at 0, 1, 3: W = 1¼, the cumulated weight passes ⅝ at 1 = m; c = 1, 0, 2; T = 1
    const Y = softMedian(matrixOf(backend, [[0.25, 0.5, 0.5]]), tensor(backend, [0, 1, 3], [3, 1]), 1);
    const a = 0.25 * Math.exp(-1);
    const b = 0.5;
    const c = 0.5 * Math.exp(-2);
    await expectValues(Y, [(1.25 * (b + 3 * c)) / (a + b + c)]);
  });

  test("approaches the weighted medoids times the row sums as T goes to 0", async () => {
    const Y = await rowsOf(softMedian(matrixOf(backend, WEIGHTS), tensor(backend, POINTS.flat(), [4, 3]), 1e-3));
    for (const [i, medoid] of [1, 0, 2, 2].entries()) {
      const total = WEIGHTS[i].reduce((a, b) => a + b, 0);
      for (const [c, x] of POINTS[medoid].entries()) expect(Y[i][c]).toBeCloseTo(total * x, 5);
    }
  });

  test("approaches the sparse product as T goes to infinity", async () => {
    const P = matrixOf(backend, randomWeights(8, 9, 0.6, 1));
    const X = randomTensor(backend, [9, 5], 2);
    await expectValues(softMedian(P, X, 1e9), await valuesOf(spmm(P, X)), 1e-7);
  });

  test("with whole weights is that of points repeated as often", async () => {
    const X = randomTensor(backend, [3, 4], 3);
    const rows = await rowsOf(X);
    const repeated = [0, 0, 1, 2, 2, 2].map((j) => rows[j]);
    const weighed = softMedian(matrixOf(backend, [[2, 1, 3]]), X, 0.7);
    const plain = softMedian(matrixOf(backend, [[1, 1, 1, 1, 1, 1]]), tensor(backend, repeated.flat(), [6, 4]), 0.7);
    await expectValues(weighed, await valuesOf(plain));
  });

  test("has the gradient finite differences predict, in the weights and in the features", async () => {
    const P = matrixOf(backend, randomWeights(7, 8, 0.6, 4));
    await expectGradient(
      (values, X) => softMedian(P.withValues(values!), X!, 0.5),
      [P.values!, randomTensor(backend, [8, 5], 5)],
      6,
    );
  });

  test("has both gradients at once as each alone", async () => {
    const P = matrixOf(backend, randomWeights(7, 8, 0.6, 4));
    const X = randomTensor(backend, [8, 5], 5);
    const gradients = async (wrt: Tensor[]) => {
      const { grads } = valueAndGrad(() => [sum(softMedian(P.withValues(P.values!), X, 0.5))], wrt);
      return Promise.all(grads.map(valuesOf));
    };
    const both = await gradients([P.values!, X]);
    expect(both).toEqual([...(await gradients([P.values!])), ...(await gradients([X]))]);
  });

  test("is zero in empty rows and where nothing weighs anything, without NaN in any gradient", async () => {
    const P = matrixOf(backend, [
      [0, 0, 0],
      [1, 2, 0],
      [1, 1, 1],
    ]);
    const values = tensor(backend, [1, 2, 0, 0, 0], [5]);
    const X = randomTensor(backend, [3, 2], 7);
    const { aux, grads } = valueAndGrad((): readonly [Tensor, Tensor] => {
      const Y = softMedian(P.withValues(values), X, 1);
      return [sum(Y), Y];
    }, [values, X]);
    const Y = await rowsOf(aux[0]);
    expect([Y[0], Y[2]]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    for (const gradient of grads) for (const g of await valuesOf(gradient)) expect(Number.isFinite(g)).toBe(true);
  });

  test("keeps its bounds until half of the points are moved, and breaks there", async () => {
    for (const n of [5, 6, 9]) {
      const broken = Math.floor((n + 1) / 2);
      for (const t of [1e3, 1e6, 1e9]) {
        for (const side of [-1, 1]) {
          expect(await sizeWithOutliers(n, broken - 1, side * t)).toBeLessThan(100);
        }
        // the lower median follows half of the points only downwards where their number is even
        expect(await sizeWithOutliers(n, broken, -t)).toBeGreaterThan(t / 10);
        if (n % 2 === 1) expect(await sizeWithOutliers(n, broken, t)).toBeGreaterThan(t / 10);
        else expect(await sizeWithOutliers(n, broken, t)).toBeLessThan(100);
      }
    }
  });

  test("does not depend on the number of threads, to the bit", async () => {
    const runs = await Promise.all(
      [1, 3].map(async (threads) => {
        const wasm = await createWasm({ threads });
        const P = matrixOf(wasm, randomWeights(300, 200, 0.2, 8));
        const X = randomTensor(wasm, [200, 20], 9);
        const { value, grads } = valueAndGrad(() => [sum(softMedian(P, X, 0.3))], [P.values!, X]);
        const all = await Promise.all([value, ...grads].map(valuesOf));
        await wasm.close();
        return all;
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
  });

  test("stays inside the range of the neighbours times the row sum, on any weights", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.constantFrom(0.1, 1, 10), async (seed, temperature) => {
        const rows = randomWeights(4, 6, 0.5, seed);
        const X = randomTensor(backend, [6, 3], seed + 1);
        const points = await rowsOf(X);
        for (const [i, y] of (await rowsOf(softMedian(matrixOf(backend, rows), X, temperature))).entries()) {
          const near = points.filter((_, j) => rows[i][j] > 0);
          const total = rows[i].reduce((a, b) => a + Math.fround(b), 0);
          for (const [c, value] of y.entries()) {
            const column = near.map((point) => point[c]);
            if (near.length === 0) expect(value).toBe(0);
            else {
              expect(value).toBeGreaterThanOrEqual(total * Math.min(...column) - 1e-5);
              expect(value).toBeLessThanOrEqual(total * Math.max(...column) + 1e-5);
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("says which argument is wrong", () => {
    const P: SparseMatrix = matrixOf(backend, WEIGHTS);
    expect(() => softMedian(P, tensor(backend, [1, 2], [2, 1]), 1)).toThrow("softMedian: X must have shape [4, f]");
    expect(() => softMedian(P, tensor(backend, [1, 2, 3, 4], [4, 1]), 0)).toThrow("temperature must be above 0, got 0");
  });
});

/** Largest entry of the Soft Median of n points in the plane, `moved` of which lie at distance |t| along both axes. */
async function sizeWithOutliers(n: number, moved: number, t: number): Promise<number> {
  const points = await rowsOf(randomTensor(backend, [n, 2], 11));
  for (const point of points.slice(0, moved)) point.fill(t);
  const Y = softMedian(matrixOf(backend, [new Array(n).fill(1)]), tensor(backend, points.flat(), [n, 2]), 1);
  return Math.max(...(await valuesOf(Y)).map(Math.abs)) / n;
}
