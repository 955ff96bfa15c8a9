import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { denseDiffusion } from "../../test/support/dense-diffusion.ts";
import { swiftShader } from "../../test/support/swiftshader.ts";
import type { NoisyGraphKernels } from "../backend/backend.ts";
import { createWebGpu } from "../backend/webgpu/webgpu.ts";
import { CoinGraphs } from "../graph/noise/coin-graphs.ts";
import { scope, toDevice } from "../tensor/index.ts";
import { DeviceDiffusion, type DrawnGraphs, mostDiffused } from "./device-diffusion.ts";
import { entryCount } from "./entry-count.ts";
import { NoisyBatch } from "./noisy-batch.ts";

const found = swiftShader();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 45;
const SEED = 5;
const OPTIONS = { alpha: 0.15, k: 9 };
const graph = randomGraph(NODES, 0.1, 3);
const edges = { add: 0.03, delete: 0.4 };

/** Of a noisy graph by definition, in float64. */
function expectedOf(number: number): number[][] {
  const { rowPtr, colIdx } = new CoinGraphs(graph, edges, SEED).draw(number).adjacency;
  const A = Array.from({ length: NODES }, () => new Array<number>(NODES).fill(0));
  for (let i = 0; i < NODES; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) A[i][colIdx[e]] = 1;
  }
  return denseDiffusion(A, OPTIONS.alpha, OPTIONS.k);
}

onGpu(`the diffusion of noisy graphs on a GPU${why}`, async () => {
  const backend = "reason" in found ? (null as never) : await createWebGpu();
  afterAll(() => backend.close());

  /** The first graphs of a batch with room for more, as dense blocks. */
  async function diffused(
    first: number,
    count: number,
    room: number,
    kernels: NoisyGraphKernels,
  ): Promise<number[][][]> {
    const view = toDevice(backend, graph);
    const batch = new NoisyBatch({ clean: view, kernels, edges, seed: SEED, entries: entryCount(graph, edges) }, room);
    const diffusion = new DeviceDiffusion(batch, OPTIONS);
    batch.draw(first, count);
    const matrix = scope(() => batch.diffused(diffusion));
    const columns = await backend.read(matrix.buffers.colIdx);
    const values = await backend.read(matrix.buffers.values!);
    for (const owner of [diffusion, batch, view]) owner.dispose();
    return Array.from({ length: count }, (_, g) =>
      Array.from({ length: NODES }, (_, i) => {
        const row = new Array<number>(NODES).fill(0);
        const begin = (g * NODES + i) * OPTIONS.k;
        for (let e = begin; e < begin + OPTIONS.k; e++) row[columns[e] - g * NODES] = values[e];
        return row;
      }),
    );
  }

  function expectClose(blocks: readonly number[][][], first: number): void {
    for (const [g, block] of blocks.entries()) {
      const expected = expectedOf(first + g).flat();
      expect(Math.max(...block.flat().map((x, e) => Math.abs(x - expected[e])))).toBeLessThan(1e-5);
    }
  }

  test("is that of each graph, side by side", async () => {
    expectClose(await diffused(7, 3, 3, backend.noisyGraphs!), 7);
    expectClose(await diffused(4, 2, 4, backend.noisyGraphs!), 4); // with room for more
  });

  test("is the same by a dense matrix of one graph", async () => {
    const dense = { ...backend.noisyGraphs!, holdsPageRank: () => false };
    expectClose(await diffused(2, 1, 1, dense), 2);
    const drawn: DrawnGraphs = { backend, kernels: dense, graphs: 1, numNodes: NODES };
    expect(mostDiffused(drawn, OPTIONS)).toBe(1);
  });

  test("is of as many graphs at once as there is room for", () => {
    const drawn: DrawnGraphs = { backend, kernels: backend.noisyGraphs!, graphs: 1, numNodes: 1024 };
    expect(mostDiffused(drawn, { alpha: 0.15, k: 64 })).toBe(256);
    expect(mostDiffused(drawn, { alpha: 0.15, k: 6 })).toBe(1); // models refuse it for more rows than k
  });
});
