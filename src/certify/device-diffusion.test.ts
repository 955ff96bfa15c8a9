import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { denseDiffusion } from "../../test/support/dense-diffusion.ts";
import { roundsDiffusion } from "../../test/support/rounds-diffusion.ts";
import { testGpu } from "../../test/support/test-gpu.ts";
import type { NoisyGraphKernels } from "../backend/backend.ts";
import { createWebGpu } from "../backend/webgpu/webgpu.ts";
import type { Csr } from "../graph/csr.ts";
import { CoinGraphs } from "../graph/noise/coin-graphs.ts";
import { scope, toDevice } from "../tensor/index.ts";
import { type DeviceDiffusionOptions, deviceDiffusion, mostDiffused } from "./device-diffusion.ts";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { entryCount } from "./entry-count.ts";
import { NeedsHost } from "./needs-host.ts";
import { NoisyBatch } from "./noisy-batch.ts";

const found = testGpu();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 45;
const SEED = 5;
const EXACT = { method: "exact", alpha: 0.15, k: 9 } as const;
const PUSH = { method: "push", alpha: 0.15, k: 9, epsilon: 1e-2 } as const;
const graph = randomGraph(NODES, 0.1, 3);
const edges = { add: 0.03, delete: 0.4 };

function drawn(number: number): Csr {
  return new CoinGraphs(graph, edges, SEED).draw(number).adjacency;
}

/** Of a noisy graph by definition, in float64. */
function exactOf(number: number, k: number): number[][] {
  return denseDiffusion(denseOf(drawn(number)), EXACT.alpha, k);
}

onGpu(`the diffusion of noisy graphs on a GPU${why}`, async () => {
  const backend = "reason" in found ? (null as never) : await createWebGpu();
  afterAll(() => backend.close());

  interface Batch {
    readonly first: number;
    readonly count: number;
    /** Graphs that there is room for. */
    readonly room: number;
    readonly kernels?: NoisyGraphKernels;
  }

  /** The first graphs of a batch. */
  async function diffused({ first, count, room, kernels }: Batch, options: DeviceDiffusionOptions) {
    const view = toDevice(backend, graph);
    const source = { clean: view, kernels: kernels ?? backend.noisyGraphs!, edges, seed: SEED };
    const batch = new NoisyBatch({ ...source, entries: entryCount(graph, edges) }, room);
    const diffusion = deviceDiffusion(batch, options);
    batch.draw(0, 1); // the next draw overwrites what is made of this one
    scope(() => batch.diffused(diffusion));
    batch.draw(first, count);
    const matrix = scope(() => batch.diffused(diffusion));
    const [rowPtr, colIdx] = await Promise.all([
      backend.read(matrix.buffers.rowPtr),
      backend.read(matrix.buffers.colIdx),
    ]);
    const values = await backend.read(matrix.buffers.values!);
    const sources = await backend.read(matrix.entries.sources);
    for (const owner of [diffusion, batch, view]) owner.dispose();
    return { rowPtr, colIdx, values, sources };
  }

  /** As dense blocks. */
  async function blocksOf(batch: Batch, options: DeviceDiffusionOptions): Promise<number[][][]> {
    const { rowPtr, colIdx, values } = await diffused(batch, options);
    return Array.from({ length: batch.count }, (_, g) =>
      Array.from({ length: NODES }, (_, i) => {
        const row = new Array<number>(NODES).fill(0);
        const at = g * NODES + i;
        for (let e = rowPtr[at]; e < rowPtr[at + 1]; e++) row[colIdx[e] - g * NODES] = values[e];
        return row;
      }),
    );
  }

  async function expectExact(batch: Batch): Promise<void> {
    for (const [g, block] of (await blocksOf(batch, EXACT)).entries()) {
      const expected = exactOf(batch.first + g, EXACT.k).flat();
      expect(Math.max(...block.flat().map((x, e) => Math.abs(x - expected[e])))).toBeLessThan(1e-5);
    }
  }

  test("is that of each graph, side by side", async () => {
    await expectExact({ first: 7, count: 3, room: 3 });
    await expectExact({ first: 4, count: 2, room: 4 }); // with room for more
  });

  test("is the same by a dense matrix of one graph", async () => {
    const kernels = { ...backend.noisyGraphs!, holdsPageRank: () => false };
    await expectExact({ first: 2, count: 1, room: 1, kernels });
    const graphs: DrawnGraphs = { backend, kernels, graphs: 1, numNodes: NODES };
    expect(mostDiffused(graphs, EXACT)).toBe(1);
  });

  test.each([
    { first: 7, count: 3, room: 3 },
    { first: 4, count: 2, room: 4 },
  ])("by push has the entries of the definition: $count graphs, room for $room", async (batch) => {
    const { rowPtr, colIdx, values, sources } = await diffused(batch, PUSH);
    let at = 0;
    for (let g = 0; g < batch.count; g++) {
      const expected = roundsDiffusion(drawn(batch.first + g), PUSH);
      const lengths = Array.from({ length: NODES }, (_, i) => rowPtr[g * NODES + i + 1] - rowPtr[g * NODES + i]);
      expect(lengths).toEqual(lengths.map((_, i) => expected.rowPtr[i + 1] - expected.rowPtr[i]));
      expect(Math.min(...lengths)).toBeLessThan(PUSH.k);
      for (const [e, column] of expected.colIdx.entries()) {
        expect(colIdx[at + e]).toBe(g * NODES + column);
        expect(values[at + e]).toBeCloseTo(expected.values![e], 6);
        expect(rowPtr[sources[at + e]]).toBeLessThanOrEqual(at + e);
        expect(rowPtr[sources[at + e] + 1]).toBeGreaterThan(at + e);
      }
      at += expected.colIdx.length;
    }
    expect([...rowPtr].slice(batch.count * NODES)).toEqual(new Array((batch.room - batch.count) * NODES + 1).fill(at));
  });

  test("by push approaches the exact one as the tolerance falls", async () => {
    const expected = exactOf(7, NODES).flat();
    const fine = { ...PUSH, k: NODES, epsilon: 1e-6 };
    const [block] = await blocksOf({ first: 7, count: 1, room: 1 }, fine);
    expect(Math.max(...block.flat().map((x, e) => Math.abs(x - expected[e])))).toBeLessThan(1e-4);
  });

  test("by push is refused where the tolerance is too small for the device", () => {
    const kernels = backend.noisyGraphs!;
    const graphs: DrawnGraphs = { backend, kernels, graphs: 1, numNodes: NODES };
    expect(() => deviceDiffusion(graphs, { ...PUSH, epsilon: 1e-9 })).toThrow(NeedsHost);
  });

  test("is of as many graphs at once as there is room for", () => {
    const graphs: DrawnGraphs = { backend, kernels: backend.noisyGraphs!, graphs: 1, numNodes: 1024 };
    expect(mostDiffused(graphs, { ...EXACT, k: 64 })).toBe(256);
    expect(mostDiffused(graphs, { ...EXACT, k: 6 })).toBe(1); // models refuse it for more rows than k
    const large = { ...graphs, numNodes: 2 ** 15 };
    expect(mostDiffused(large, { ...EXACT, k: 64 })).toBe(1);
    expect(mostDiffused(large, { ...PUSH, k: 64 })).toBe(8);
  });
});
