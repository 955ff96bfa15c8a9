import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../test/support/any-graph.ts";
import { denseOf, expectValues, transposed, valuesOf } from "../../test/support/dense.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import type { Backend } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { sumSquares } from "./ops/reductions.ts";
import { spmm } from "./ops/spmm.ts";
import { scope } from "./scope.ts";
import { rowOfEachEntry, SparseMatrix } from "./sparse-matrix.ts";
import { valueAndGrad } from "./tape.ts";
import { filled, tensor } from "./tensor.ts";

const backend = createReference();
/** [[0, 2, 0], [−1, 0, 3]] */
const host = csrFromEntries(2, 3, [0, 1, 1], [1, 0, 2], [2, -1, 3]);

const ints = async (backend: Backend, buffer: Parameters<Backend["read"]>[0]) => [...(await backend.read(buffer))];

async function denseOnDevice(S: SparseMatrix): Promise<number[][]> {
  const identity = tensor(
    S.backend,
    Float64Array.from({ length: S.numCols ** 2 }, (_, e) => (e % (S.numCols + 1) === 0 ? 1 : 0)),
    [S.numCols, S.numCols],
  );
  const values = await valuesOf(spmm(S, identity));
  return Array.from({ length: S.numRows }, (_, i) => values.slice(i * S.numCols, (i + 1) * S.numCols));
}

describe("SparseMatrix", () => {
  test("refuses a pattern that reaches outside of the matrix", () => {
    const upload = (change: object) => () => SparseMatrix.upload(backend, { ...host, ...change });
    expect(upload({ colIdx: Int32Array.of(1, 0, 3) })).toThrow("SparseMatrix: column 3 must be in 0 … 2");
    expect(upload({ colIdx: Int32Array.of(1, -1, 2) })).toThrow("SparseMatrix: column -1 must be in 0 … 2");
    expect(upload({ rowPtr: Int32Array.of(0, 4, 3) })).toThrow("must not decrease, but do at row 1");
    expect(upload({ rowPtr: Int32Array.of(0, 1, 2) })).toThrow("must go from 0 to the 3 entries in 2 steps");
  });

  test("lists the row and the column of each entry", async () => {
    const S = SparseMatrix.upload(backend, host);
    expect([S.numRows, S.numCols, S.numEntries]).toEqual([2, 3, 3]);
    expect(await ints(backend, S.entries.sources)).toEqual([0, 1, 1]);
    expect(await ints(backend, S.entries.targets)).toEqual([1, 0, 2]);
    expect([...rowOfEachEntry(host)]).toEqual([0, 1, 1]);
    expect(S.entries).toBe(S.entries);
  });

  test("transposes with its values", async () => {
    const T = SparseMatrix.upload(backend, host).transposed;
    expect([T.numRows, T.numCols]).toEqual([3, 2]);
    expect(await ints(backend, T.buffers.rowPtr)).toEqual([0, 1, 2, 3]);
    expect(await ints(backend, T.buffers.colIdx)).toEqual([1, 0, 1]);
    expect(await valuesOf(T.values!)).toEqual([-1, 2, 3]);
  });

  test("is its own transpose if it is symmetric and has no values", () => {
    const S = SparseMatrix.upload(backend, csrFromEntries(2, 2, [0, 1], [1, 0]));
    expect(S.transposed).toBe(S);
  });

  test("equals its host matrix, and its transpose the transposed one, twice the matrix itself, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1e6), async ({ adjacency }, seed) => {
        const pattern = SparseMatrix.upload(backend, adjacency);
        const S = pattern.withValues(randomTensor(backend, [pattern.numEntries], seed));
        const dense = denseOf(adjacency, await S.values!.read());
        expect(await denseOnDevice(S)).toEqual(dense);
        expect(await denseOnDevice(S.transposed)).toEqual(transposed(dense));
        expect(await denseOnDevice(S.transposed.transposed)).toEqual(dense);
        expect(await denseOnDevice(pattern.transposed)).toEqual(transposed(denseOf(adjacency)));
      }),
      { numRuns: 30 },
    );
  });

  test("gives back all its storage, made now or later, when it is disposed", () => {
    const before = backend.memory.current;
    const S = SparseMatrix.upload(backend, host);
    const X = filled(backend, [3, 1], 1);
    scope(() => void valueAndGrad(() => [sumSquares(spmm(S, X))], [X]));
    expect(S.entries.length).toBe(3);
    expect(S.transposed).toBe(S.transposed);
    expect(S.transposed.transposed).toBe(S);
    X.dispose();
    S.dispose();
    S.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("with borrowed values leaves them and its pattern to their owners", async () => {
    const S = SparseMatrix.upload(backend, host);
    const values = tensor(backend, [1, 1, 1], [3]);
    const borrowing = S.withValues(values);
    borrowing.dispose();
    expect(values.isDisposed).toBe(false);
    expect(await denseOnDevice(S)).toEqual([
      [0, 2, 0],
      [-1, 0, 3],
    ]);
  });

  test("with borrowed values follows them when they change, also transposed", async () => {
    const values = tensor(backend, [1, 1, 1], [3]);
    const S = SparseMatrix.upload(backend, host).withValues(values);
    const X = filled(backend, [3, 1], 1);
    const gradient = () => valueAndGrad(() => [sumSquares(spmm(S, X))], [X]).grads[0];
    await expectValues(gradient(), [4, 2, 4]); // 2 Sᵀ S 1
    values.assign(Float64Array.of(2, 0, 1));
    await expectValues(gradient(), [0, 8, 2]);
  });

  test("leaves no trace of a step that gave a shared pattern other values", () => {
    const S = SparseMatrix.upload(backend, host);
    const values = tensor(backend, [1, 2, 3], [3]);
    const X = filled(backend, [3, 1], 1);
    const step = () => scope(() => void valueAndGrad(() => [sumSquares(spmm(S.withValues(values), X))], [values, X]));
    step(); // makes entries and transposed pattern once
    const before = backend.memory.current;
    step();
    expect(backend.memory.current).toBe(before);
  });

  test("refuses the wrong number of values, and use after it was disposed", () => {
    const S = SparseMatrix.upload(backend, host);
    expect(() => S.withValues(filled(backend, [2], 1))).toThrow("withValues: 2 values for 3 entries");
    S.dispose();
    expect(() => spmm(S, filled(backend, [3, 1], 1))).toThrow(
      "sparse matrix of shape [2, 3] was disposed; keep it out of the scope that ended",
    );
  });

  test("refuses more entries than devices count", () => {
    const rowPtr = Float64Array.of(0, 2 ** 31);
    const huge = { numRows: 1, numCols: 2, rowPtr, colIdx: new Int32Array(0), values: null };
    expect(() => SparseMatrix.upload(backend, huge)).toThrow(
      "SparseMatrix: a device counts to 2^31 - 1 entries, got 2147483648; split the rows",
    );
  });
});
