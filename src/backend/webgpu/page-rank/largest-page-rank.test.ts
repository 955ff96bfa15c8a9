import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { inverse } from "../../../../test/support/dense-inverse.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { type Csr, csrFromEntries } from "../../../graph/csr.ts";
import { addSelfLoops } from "../../../graph/self-loops.ts";
import { symmetrise } from "../../../graph/symmetrise.ts";
import type { Backend, CsrBuffers, NoisyGraphKernels } from "../../backend.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn } from "../webgpu.ts";
import { largestPageRank } from "./largest-page-rank.ts";

const found = testGpu();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const OPTIONS = { alpha: 0.15, tolerance: 1e-6 };

/** The same by definition, in float64: rows of α(I − (1 − α)D^(−1/2)·S·D^(−1/2))⁻¹. */
function densePageRank({ numRows: n, rowPtr, colIdx }: Csr): number[][] {
  const degree = (i: number) => rowPtr[i + 1] - rowPtr[i];
  const system = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  for (let i = 0; i < n; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      system[i][colIdx[e]] -= (1 - OPTIONS.alpha) / Math.sqrt(degree(i) * degree(colIdx[e]));
    }
  }
  return inverse(system).map((row) => row.map((x) => OPTIONS.alpha * x));
}

/** Node 0 is a neighbour of all others. */
function star(n: number): Csr {
  const others = Array.from({ length: n - 1 }, (_, i) => i + 1);
  return symmetrise(
    csrFromEntries(
      n,
      n,
      others.map(() => 0),
      others,
    ),
  );
}

/** Rows of many lengths: hub number h is a neighbour of every (h + 1)-th node from one on. */
function hubs(n: number, count: number): Csr {
  const rows: number[] = [];
  const cols: number[] = [];
  for (let hub = 0; hub < count; hub++) {
    for (let i = count + hub; i < n; i += hub + 1) {
      rows.push(hub);
      cols.push(i);
    }
  }
  return symmetrise(csrFromEntries(n, n, rows, cols));
}

/** Each node is a neighbour of the next. */
function ring(n: number): Csr {
  const all = Array.from({ length: n }, (_, i) => i);
  return symmetrise(
    csrFromEntries(
      n,
      n,
      all,
      all.map((i) => (i + 1) % n),
    ),
  );
}

/** Graphs as blocks of one matrix, with room for entries behind the last. */
function sideBySide(backend: Backend, graphs: readonly Csr[]): CsrBuffers {
  const n = graphs[0].numRows;
  const rowPtr = [0];
  const colIdx: number[] = [];
  for (const [g, { rowPtr: begins, colIdx: columns }] of graphs.entries()) {
    for (let i = 0; i < n; i++) rowPtr.push(colIdx.length + begins[i + 1]);
    colIdx.push(...Array.from(columns, (j) => g * n + j));
  }
  const numRows = graphs.length * n;
  const room = Int32Array.from([...colIdx, 0, 0, 0]);
  return {
    numRows,
    numCols: numRows,
    rowPtr: backend.upload(Int32Array.from(rowPtr)),
    colIdx: backend.upload(room),
    values: null,
  };
}

type Kernels = Pick<NoisyGraphKernels, "largestPageRank">;

/** Columns and values per row. */
async function largest(
  backend: Backend,
  graphs: readonly Csr[],
  k: number,
  kernels: Kernels = backend.noisyGraphs!,
  options = OPTIONS,
) {
  const numNodes = graphs[0].numRows;
  const length = graphs.length * numNodes * k;
  const out = { columns: backend.alloc("i32", length), values: backend.alloc("f32", length) };
  const S = sideBySide(backend, graphs);
  const size = { graphs: graphs.length, numNodes, k };
  kernels.largestPageRank(out, S, size, options);
  const columns = Array.from(await backend.read(out.columns));
  const values = Array.from(await backend.read(out.values));
  return { columns, values };
}

/** Each row must have the largest values, in ascending columns, but for differences of `most` and of a share of the values. */
async function expectLargest(
  backend: Backend,
  graphs: readonly Csr[],
  k: number,
  kernels?: Kernels,
  { share = 0, most = 2e-6 } = {},
): Promise<void> {
  const n = graphs[0].numRows;
  const { columns, values } = await largest(backend, graphs, k, kernels);
  for (const [g, graph] of graphs.entries()) {
    for (const [i, row] of densePageRank(graph).entries()) {
      const begin = (g * n + i) * k;
      const chosen = columns.slice(begin, begin + k).map((column) => column - g * n);
      expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
      const off = chosen.map((j, t) => Math.abs(row[j] - values[begin + t]) - share * row[j]);
      expect(Math.max(...off)).toBeLessThan(most);
      const least = [...row].sort((a, b) => b - a)[k - 1];
      expect(Math.min(...chosen.map((j) => row[j]))).toBeGreaterThan((1 - 2 * share) * least - most);
    }
  }
}

onGpu.each([true, false])(`the largest entries of PageRank on a GPU, subgroups: %s${why}`, async (subgroups) => {
  const gpu = "reason" in found ? (null as never) : new Gpu(await openDevice({ subgroups }));
  const backend = "reason" in found ? (null as never) : backendOn(gpu);
  afterAll(() => backend.close());

  test.each([
    { n: 75, density: 0.08, k: 10 },
    { n: 33, density: 0.02, k: 7 }, // mostly isolated nodes
    { n: 270, density: 0.02, k: 64 }, // two rows for some threads
    { n: 1, density: 0, k: 1 },
    { n: 32, density: 0.5, k: 32 },
  ])("are those of the definition for graphs of $n nodes, $k per row", async ({ n, density, k }) => {
    const graphs = [3, 4].map((seed) => addSelfLoops(randomGraph(n, density, seed).adjacency));
    await expectLargest(backend, graphs, k);
  });

  test("are those of the definition where one row is much longer than others", async () => {
    const graphs = [addSelfLoops(star(70)), addSelfLoops(randomGraph(70, 0.03, 8).adjacency)];
    await expectLargest(backend, graphs, 12);
  });

  test("are those of the definition where hubs stand beside short rows, in graphs side by side", async () => {
    const n = 121; // the last workgroup of a graph has a column less
    const graphs = [hubs(n, 20), star(n), randomGraph(n, 0.01, 8).adjacency].map(addSelfLoops);
    await expectLargest(backend, graphs, 12);
    await expectLargest(backend, graphs.slice(0, 2), 12, largestPageRank(gpu, "single", 2000)); // bytes: one column
  });

  test("are off by two parts in a thousand and one in 10,000 at most where they are shared as halves", async () => {
    const graphs = [hubs(121, 20), star(121), randomGraph(121, 0.03, 8).adjacency].map(addSelfLoops);
    await expectLargest(backend, graphs, 12, largestPageRank(gpu, "half"), { share: 0.002, most: 1e-4 });
    await expect(expectLargest(backend, graphs, 12, largestPageRank(gpu, "half"))).rejects.toThrow(); // halves are really used
  });

  test("are those of the definition where more rows are long than there are threads", async () => {
    await expectLargest(backend, [addSelfLoops(randomGraph(280, 0.12, 9).adjacency)], 5);
  });

  test("are those of the definition where many nodes at the threshold are equal", async () => {
    const { columns, values } = await largest(backend, [addSelfLoops(star(300))], 64);
    for (let i = 0; i < 300; i++) {
      const expected = Array.from({ length: 64 }, (_, j) => (j === 63 && i > 63 ? i : j)); // all leaves are alike but for the row's own
      expect(columns.slice(64 * i, 64 * i + 64)).toEqual(expected);
      expect(values[64 * i]).toBeGreaterThan(values[64 * i + (i === 1 ? 2 : 1)]);
    }
  });

  test("are the lowest columns where others are equal", async () => {
    const alone = addSelfLoops(csrFromEntries(70, 70, [], []));
    const { columns, values } = await largest(backend, [alone, alone], 3);
    for (let i = 0; i < 140; i++) {
      const first = 70 * Math.floor(i / 70);
      const expected = i < first + 3 ? [first, first + 1, first + 2] : [first, first + 1, i];
      expect(columns.slice(3 * i, 3 * i + 3)).toEqual(expected);
      expect(values.slice(3 * i, 3 * i + 3).map((x) => Number(x > 0.99))).toEqual(expected.map((j) => Number(j === i)));
    }
  });

  test("are those of the dense matrix", async () => {
    const graph = addSelfLoops(randomGraph(150, 0.04, 6).adjacency);
    const S = sideBySide(backend, [graph]);
    const degrees = backend.alloc("f32", 150);
    backend.rowSums(degrees, S, false);
    const dense = backend.alloc("f32", 150 * 150);
    backend.pageRank(dense, [S], degrees, OPTIONS);
    const columns = backend.alloc("i32", 150 * 20);
    const values = backend.alloc("f32", 150 * 20);
    backend.topKRows({ columns, values, X: dense, rows: 150, cols: 150, k: 20 });
    const found = await largest(backend, [graph], 20);
    expect(found.columns).toEqual(Array.from(await backend.read(columns)));
    for (const [e, value] of (await backend.read(values)).entries()) expect(found.values[e]).toBeCloseTo(value, 6);
  });

  test("are those of the definition where a workgroup holds one column only", async () => {
    const graphs = [6, 7].map((seed) => addSelfLoops(randomGraph(75, 0.05, seed).adjacency));
    await expectLargest(backend, graphs, 12, largestPageRank(gpu, "single", 1600)); // bytes
  });

  test("are refused for graphs whose columns fit no workgroup", () => {
    const size = { graphs: 1, numNodes: 40_000, k: 64 };
    expect(backend.noisyGraphs!.holdsPageRank(size)).toBe(false);
    expect(backend.noisyGraphs!.holdsPageRank({ ...size, numNodes: 2000 })).toBe(true);
  });
});

onGpu(`a thread with more rows than registers for them${why}`, () => {
  test("solves for all of them", async () => {
    const n = 2400;
    const backend = backendOn(new Gpu(await openDevice({ subgroups: false }))); // with subgroups more threads share the rows
    const graphs = [addSelfLoops(ring(n))];
    const few = { ...OPTIONS, tolerance: 0.05 };
    const { columns, values } = await largest(backend, graphs, 3, backend.noisyGraphs!, few);
    await backend.close();
    const [small] = densePageRank(addSelfLoops(ring(60))); // what is 30 nodes away does not matter
    for (const i of [1, 700, n - 2]) {
      expect(columns.slice(3 * i, 3 * i + 3)).toEqual([i - 1, i, i + 1]);
      for (const [t, j] of [1, 0, 1].entries()) expect(Math.abs(values[3 * i + t] - small[j])).toBeLessThan(0.01);
    }
  });
});
