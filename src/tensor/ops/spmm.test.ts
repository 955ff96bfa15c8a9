import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../test/support/any-graph.ts";
import { denseOf, expectValues, product, rowsOf, transposed, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { SparseMatrix } from "../sparse-matrix.ts";
import { valueAndGrad } from "../tape.ts";
import { tensor } from "../tensor.ts";
import { add, mul } from "./elementwise.ts";
import { sum } from "./reductions.ts";
import { spmm } from "./spmm.ts";

const backend = createReference();
/** Rows {0: 2 at 1}, {1: −1 at 0, 3 at 3}, {2: none}: neither square nor symmetric. */
const wide = SparseMatrix.upload(backend, csrFromEntries(3, 4, [0, 1, 1], [1, 0, 3], [2, -1, 3]));

describe("spmm", () => {
  test("adds up weighted rows, and a row without entries is 0", async () => {
    const X = tensor(backend, [1, 10, 2, 20, 3, 30, 4, 40], [4, 2]);
    expect(await rowsOf(spmm(wide, X))).toEqual([
      [4, 40],
      [11, 110],
      [0, 0],
    ]);
  });

  test("counts every entry as 1 where the matrix has no values", async () => {
    const ones = SparseMatrix.upload(backend, csrFromEntries(2, 2, [0, 0, 1], [0, 1, 0]));
    expect(await valuesOf(spmm(ones, tensor(backend, [1, 2], [2, 1])))).toEqual([3, 1]);
  });

  test("has the gradient finite differences predict in values and features, on a rectangular matrix", async () => {
    const inputs = [randomTensor(backend, [3], 1), randomTensor(backend, [4, 2], 2)];
    await expectGradient((values, X) => spmm(wide.withValues(values), X), inputs, 3);
  });

  test("has the gradient finite differences predict where matrix and features are used twice", async () => {
    const S = SparseMatrix.upload(backend, csrFromEntries(3, 3, [0, 1, 1, 2], [1, 0, 2, 0]));
    const inputs = [randomTensor(backend, [4], 4), randomTensor(backend, [3, 2], 5)];
    await expectGradient(
      (values, X) => {
        const weighted = S.withValues(values);
        return add(spmm(weighted, spmm(weighted, X)), spmm(S, X));
      },
      inputs,
      6,
    );
  });

  test("agrees with the dense product, forwards and back, on any graph with any values", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1e6), async ({ adjacency }, seed) => {
        const pattern = SparseMatrix.upload(backend, adjacency);
        const weights = randomTensor(backend, [pattern.numEntries], seed);
        const dense = denseOf(adjacency, await weights.read());
        const X = randomTensor(backend, [adjacency.numCols, 2], seed + 1);
        const Z = randomTensor(backend, [adjacency.numRows, 2], seed + 2);
        await expectValues(spmm(pattern.withValues(weights), X), product(dense, await rowsOf(X)).flat());
        const { grads } = valueAndGrad(() => [sum(mul(spmm(pattern.withValues(weights), X), Z))], [X]);
        await expectValues(grads[0], product(transposed(dense), await rowsOf(Z)).flat());
      }),
      { numRuns: 40 },
    );
  });

  test("says which argument has the wrong shape", () => {
    expect(() => spmm(wide, tensor(backend, [1, 2, 3], [3, 1]))).toThrow("spmm: X must have shape [4, f], got [3, 1]");
  });
});
