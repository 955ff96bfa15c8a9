import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { inverse } from "../../test/support/dense-inverse.ts";
import type { Backend, CsrBuffers } from "../backend/backend.ts";
import { pageRankByBlocks } from "../backend/compose/page-rank.ts";
import { createReference } from "../backend/reference/reference.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { type Csr, csrFromEntries } from "../graph/csr.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { exactPageRank } from "./exact.ts";

function upload(backend: Backend, { numRows, numCols, rowPtr, colIdx, values }: Csr): CsrBuffers {
  const pointers = Int32Array.from(rowPtr);
  return {
    ...{ numRows, numCols, rowPtr: backend.upload(pointers), colIdx: backend.upload(colIdx) },
    values: values && backend.upload(values),
  };
}

/** α(I − (1 − α)Â)⁻¹ of a weighted dense adjacency with self loops. */
function denseExact(withLoops: readonly number[][], alpha: number): number[][] {
  const degrees = withLoops.map((row) => row.reduce((sum, a) => sum + a, 0));
  const system = withLoops.map((row, i) =>
    row.map((a, j) => (i === j ? 1 : 0) - ((1 - alpha) * a) / Math.sqrt(degrees[i] * degrees[j])),
  );
  return inverse(system).map((row) => row.map((x) => alpha * x));
}

async function largestError(backend: Backend, parts: readonly Csr[], alpha: number): Promise<number> {
  const n = parts[0].numRows;
  const A = { numNodes: n, parts: parts.map((part) => upload(backend, part)) };
  const actual = await backend.read(exactPageRank(backend, A, { alpha }).matrix);
  const dense = parts.map((part) => denseOf(part));
  const total = dense[0].map((row, i) => row.map((_, j) => dense.reduce((sum, part) => sum + part[i][j], 0)));
  const expected = denseExact(total, alpha).flat();
  return Math.max(0, ...expected.map((x, e) => Math.abs(x - actual[e])));
}

describe("exactPageRank", () => {
  test("of two connected nodes is the inverse worked by hand", async () => {
    // Â = ½[[1, 1], [1, 1]]; with α = ½, I − ½Â = ¼[[3, −1], [−1, 3]], whose inverse is ½[[3, 1], [1, 3]].
    const backend = createReference();
    const parts = [upload(backend, addSelfLoops(csrFromEntries(2, 2, [0, 1], [1, 0])))];
    const { matrix, degrees } = exactPageRank(backend, { numNodes: 2, parts }, { alpha: 0.5, tolerance: 1e-12 });
    expect([...(await backend.read(degrees))]).toEqual([2, 2]);
    for (const [e, x] of [0.75, 0.25, 0.25, 0.75].entries()) expect((await backend.read(matrix))[e]).toBeCloseTo(x, 10);
  });

  test("is the dense inverse on any undirected graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.constantFrom(0.05, 0.15, 0.5), async (graph, alpha) => {
        fc.pre(!graph.directed);
        expect(await largestError(createReference(), [addSelfLoops(graph.adjacency)], alpha)).toBeLessThan(1e-6);
      }),
    );
  });

  test("is the dense inverse in float32 on threads, in several stages and of a sum of matrices", async () => {
    const backend = await createWasm({ threads: 2 });
    const removed = csrFromEntries(300, 300, [0, 9], [9, 0], [-0.5, -0.5]);
    const drawn = addSelfLoops(randomGraph(300, 0.03, 1).adjacency);
    const edge = csrFromEntries(300, 300, [0, 9], [9, 0], [0.75, 0.75]);
    expect(await largestError(backend, [drawn, edge, removed], 0.15)).toBeLessThan(2e-6);
    await backend.close();
  });

  test("is the same on any number of threads, to the last bit", async () => {
    const results: Float32Array[] = [];
    for (const threads of [1, 2, 3]) {
      const backend = await createWasm({ threads });
      const parts = [upload(backend, addSelfLoops(randomGraph(270, 0.03, 3).adjacency))];
      results.push(
        (await backend.read(exactPageRank(backend, { numNodes: 270, parts }, { alpha: 0.15 }).matrix)) as Float32Array,
      );
      await backend.close();
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test("composed of products is the same over several blocks of columns as over one", async () => {
    const backend = createReference();
    const parts = [upload(backend, addSelfLoops(randomGraph(150, 0.05, 4).adjacency))];
    const { matrix, degrees } = exactPageRank(backend, { numNodes: 150, parts }, { alpha: 0.15 });
    const blocks = backend.alloc("f32", 150 * 150);
    pageRankByBlocks(backend, blocks, parts, degrees, { alpha: 0.15, tolerance: 1e-6, blockElements: 64 * 150 });
    expect(await backend.read(blocks)).toEqual(await backend.read(matrix));
  });

  test("frees what it worked with", async () => {
    for (const backend of [createReference(), await createWasm({ threads: 1 })]) {
      const parts = [upload(backend, addSelfLoops(randomGraph(70, 0.1, 2).adjacency))];
      const before = backend.memory.current;
      const { matrix, degrees } = exactPageRank(backend, { numNodes: 70, parts }, { alpha: 0.2 });
      backend.free(matrix);
      backend.free(degrees);
      expect(backend.memory.current).toBe(before);
      await backend.close();
    }
  });

  test("refuses a graph whose dense matrix is too large, and says what to do", () => {
    const run = () => exactPageRank(createReference(), { numNodes: 169_343, parts: [] }, { alpha: 0.1 });
    expect(run).toThrow(/exactPageRank: 169343 nodes need a dense matrix of 109395 MiB.*push/);
  });
});
