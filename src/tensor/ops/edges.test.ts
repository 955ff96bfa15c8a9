import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../test/support/any-graph.ts";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { SparseMatrix } from "../sparse-matrix.ts";
import { filled, tensor } from "../tensor.ts";
import { columnValues, edgeSoftmax, rowValues } from "./edges.ts";
import { add } from "./elementwise.ts";
import { spmm } from "./spmm.ts";

const backend = createReference();
/** Entries (0, 1), (1, 0), (1, 3): fewer rows than columns, and a row without entries. */
const S = SparseMatrix.upload(backend, csrFromEntries(3, 4, [0, 1, 1], [1, 0, 3]));

describe("rowValues and columnValues", () => {
  test("copy a value of each end to the entry", async () => {
    expect(await valuesOf(rowValues(S, tensor(backend, [10, 20, 30], [3])))).toEqual([10, 20, 20]);
    expect(await valuesOf(columnValues(S, tensor(backend, [1, 2, 3, 4], [4])))).toEqual([2, 1, 4]);
  });

  test("have the gradient finite differences predict, for vectors and columns, used once and twice", async () => {
    const x = randomTensor(backend, [3], 1);
    const z = randomTensor(backend, [4, 1], 2);
    await expectGradient((x) => rowValues(S, x), [x], 3);
    await expectGradient((z) => columnValues(S, z), [z], 4);
    await expectGradient((x, z) => add(rowValues(S, x), columnValues(S, z)), [x, z], 5);
    await expectGradient((x) => add(rowValues(S, x), rowValues(S, x)), [x], 6);
    await expectGradient((z) => add(columnValues(S, z), columnValues(S, z)), [z], 7);
  });

  test("swap when the matrix is transposed, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1e6), async ({ adjacency, numNodes }, seed) => {
        const A = SparseMatrix.upload(backend, adjacency);
        const x = randomTensor(backend, [numNodes], seed);
        const sorted = async (values: Promise<number[]>) => (await values).sort((a, b) => a - b);
        expect(await sorted(valuesOf(rowValues(A, x)))).toEqual(await sorted(valuesOf(columnValues(A.transposed, x))));
      }),
      { numRuns: 30 },
    );
  });

  test("say how many elements they want", () => {
    const x = tensor(backend, [1, 2], [2]);
    expect(() => rowValues(S, x)).toThrow("rowValues: x must have 3 elements, got shape [2]");
    expect(() => columnValues(S, x)).toThrow("columnValues: x must have 4 elements, got shape [2]");
  });
});

describe("edgeSoftmax", () => {
  test("shares 1 out among the entries of each row", async () => {
    await expectValues(edgeSoftmax(S, tensor(backend, [7, 0, Math.log(3)], [3])), [1, 0.25, 0.75]);
  });

  test("has the gradient finite differences predict", async () => {
    await expectGradient((x) => edgeSoftmax(S, x), [randomTensor(backend, [3], 8)], 9);
  });

  test("has rows that sum to 1 where they have entries, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1e6), async ({ adjacency, numNodes }, seed) => {
        const A = SparseMatrix.upload(backend, adjacency);
        const attention = edgeSoftmax(A, randomTensor(backend, [A.numEntries], seed));
        const sums = spmm(A.withValues(attention), filled(backend, [numNodes, 1], 1));
        const expected = Array.from({ length: numNodes }, (_, i) =>
          adjacency.rowPtr[i] === adjacency.rowPtr[i + 1] ? 0 : 1,
        );
        await expectValues(sums, expected);
      }),
      { numRuns: 30 },
    );
  });

  test("wants one score per entry", () => {
    expect(() => edgeSoftmax(S, filled(backend, [4], 0))).toThrow("edgeSoftmax: x must have shape [3], got [4]");
  });
});
