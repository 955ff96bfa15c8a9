import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { CoinGraphs } from "../../../graph/noise/coin-graphs.ts";
import { PairCoins } from "../../../graph/noise/pair-coins.ts";
import { normalisedAdjacency } from "../../../graph/normalise.ts";
import { addSelfLoops } from "../../../graph/self-loops.ts";
import type { Backend, CsrBuffers } from "../../backend.ts";
import { createWebGpu } from "../webgpu.ts";

const found = testGpu();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 75; // five tiles, the last one not full
const FIRST = 2 ** 31 + 4;
const GRAPHS = 3;
const graph = randomGraph(NODES, 0.1, 3);
const edges = { add: 0.06, delete: 0.4 };

/** Noisy graphs one below the other, with room for a fourth and for so many entries. */
function drawn(backend: Backend, room: number): { S: CsrBuffers; most: Promise<ArrayLike<number>> } {
  const { adjacency } = graph;
  const upper = Array.from({ length: NODES }, (_, i) =>
    [...adjacency.colIdx.subarray(adjacency.rowPtr[i], adjacency.rowPtr[i + 1])]
      .filter((j) => i < j)
      .map((j) => [i, j]),
  ).flat();
  const rows = (GRAPHS + 1) * NODES;
  const ints = (values: ArrayLike<number>) => backend.upload(Int32Array.from(values));
  const S = {
    numRows: rows,
    numCols: rows,
    rowPtr: backend.alloc("i32", rows + 1),
    colIdx: ints(new Int32Array(room)),
    values: null,
  };
  const { key, limits, vanish } = new PairCoins(9, edges);
  const most = ints([0]);
  backend.noisyGraphs!.drawNoisyGraphs({
    to: S,
    most,
    clean: {
      A: {
        numRows: NODES,
        numCols: NODES,
        rowPtr: ints(adjacency.rowPtr),
        colIdx: ints(adjacency.colIdx),
        values: null,
      },
      sources: ints(upper.map(([i]) => i)),
      targets: ints(upper.map(([, j]) => j)),
    },
    coins: { key, limits: backend.upload(new Int32Array(limits.buffer)), vanish },
    first: FIRST,
    graphs: GRAPHS,
  });
  return { S, most: backend.read(most) };
}

/** The same by definition. */
function expected(): { rowPtr: number[]; colIdx: number[]; values: number[] } {
  const graphs = new CoinGraphs(graph, edges, 9);
  const rowPtr = [0];
  const colIdx: number[] = [];
  const values: number[] = [];
  for (let g = 0; g < GRAPHS; g++) {
    const { adjacency } = graphs.draw(FIRST + g);
    const loops = addSelfLoops(adjacency);
    for (let i = 0; i < NODES; i++) rowPtr.push(colIdx.length + loops.rowPtr[i + 1]);
    colIdx.push(...Array.from(loops.colIdx, (j) => g * NODES + j));
    values.push(...normalisedAdjacency(adjacency, "symmetric").values!);
  }
  for (let i = 0; i < NODES; i++) rowPtr.push(colIdx.length);
  return { rowPtr, colIdx, values };
}

onGpu.each([true, false])(`noisy graphs on a GPU, subgroups: %s${why}`, async (subgroups) => {
  const backend = "reason" in found ? (null as never) : await createWebGpu({ subgroups });
  afterAll(() => backend.close());
  const { rowPtr, colIdx, values } = expected();

  test("are those of the definition, entry by entry", async () => {
    const { S, most } = drawn(backend, colIdx.length + 30);
    expect(Array.from(await backend.read(S.rowPtr))).toEqual(rowPtr);
    expect(Array.from(await backend.read(S.colIdx)).slice(0, colIdx.length)).toEqual(colIdx);
    expect(Array.from(await most)).toEqual([colIdx.length]);
  });

  test("end where there is no more room, and say how much there should have been", async () => {
    const room = colIdx.length - 50;
    const { S, most } = drawn(backend, room);
    expect(Array.from(await backend.read(S.rowPtr))).toEqual(rowPtr.map((begin) => Math.min(begin, room)));
    expect(Math.max(...(await backend.read(S.colIdx)))).toBeLessThan(GRAPHS * NODES);
    expect(Array.from(await most)).toEqual([colIdx.length]);
  });

  test("are normalised as on the host", async () => {
    const { S } = drawn(backend, colIdx.length);
    const out = backend.alloc("f32", colIdx.length);
    backend.noisyGraphs!.normaliseEntries(out, S, "symmetric");
    for (const [e, value] of (await backend.read(out)).entries()) expect(value).toBeCloseTo(values[e], 6);
    backend.noisyGraphs!.normaliseEntries(out, S, "row");
    const byRow = await backend.read(out);
    for (let i = 0; i < GRAPHS * NODES; i++) expect(byRow[rowPtr[i]]).toBeCloseTo(1 / (rowPtr[i + 1] - rowPtr[i]), 6);
  });

  test("name the row of each entry", async () => {
    const { S } = drawn(backend, colIdx.length);
    const out = backend.alloc("i32", colIdx.length);
    backend.noisyGraphs!.entryRows(out, S);
    const rows = rowPtr.slice(1).flatMap((end, i) => new Array<number>(end - rowPtr[i]).fill(i));
    expect(Array.from(await backend.read(out))).toEqual(rows);
  });

  test("count the votes of each node", async () => {
    const classes = backend.upload(Int32Array.of(0, 2, 1, 0, 2, 2, 1, 2, 2)); // three graphs of three nodes
    const counts = backend.upload(Int32Array.of(5, 0, 0, 0, 0, 0, 0, 0, 0));
    backend.noisyGraphs!.addVotes(counts, classes, { graphs: 3, numNodes: 3, numClasses: 3 });
    expect(Array.from(await backend.read(counts))).toEqual([7, 1, 0, 0, 0, 3, 0, 1, 2]);
    backend.noisyGraphs!.addVotes(counts, classes, { graphs: 1, numNodes: 3, numClasses: 3 });
    expect(Array.from(await backend.read(counts))).toEqual([8, 1, 0, 0, 0, 4, 0, 2, 2]);
  });
});
