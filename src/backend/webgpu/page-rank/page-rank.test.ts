import { afterAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import type { Csr } from "../../../graph/csr.ts";
import { addSelfLoops } from "../../../graph/self-loops.ts";
import type { Backend, CsrBuffers } from "../../backend.ts";
import { pageRankByBlocks } from "../../compose/page-rank.ts";
import { createReference } from "../../reference/reference.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn } from "../webgpu.ts";
import { pageRank } from "./page-rank.ts";

const found = testGpu();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 150;
const OPTIONS = { alpha: 0.15, tolerance: 1e-6 };

function upload(backend: Backend, { numRows, numCols, rowPtr, colIdx, values }: Csr): CsrBuffers {
  const pointers = backend.upload(Int32Array.from(rowPtr));
  return {
    numRows,
    numCols,
    rowPtr: pointers,
    colIdx: backend.upload(colIdx),
    values: values && backend.upload(values),
  };
}

/** Two graphs, the second with weights, or the first alone. */
function matrices(count: number): Csr[] {
  const loops = addSelfLoops(randomGraph(NODES, 0.05, 3).adjacency);
  const { adjacency } = randomGraph(NODES, 0.03, 4);
  const weighted = { ...adjacency, values: new Float32Array(adjacency.colIdx.length).fill(0.3) };
  return [loops, weighted].slice(0, count);
}

type Solve = (backend: Backend, out: CsrBuffers["rowPtr"], parts: CsrBuffers[], degrees: CsrBuffers["rowPtr"]) => void;

async function solved(backend: Backend, count: number, solve: Solve): Promise<number[]> {
  const parts = matrices(count).map((part) => upload(backend, part));
  const degrees = backend.alloc("f32", NODES);
  for (const [p, part] of parts.entries()) backend.rowSums(degrees, part, p > 0);
  const out = backend.alloc("f32", NODES * NODES);
  solve(backend, out, parts, degrees);
  return Array.from(await backend.read(out));
}

onGpu(`PageRank on a GPU${why}`, async () => {
  const gpu = "reason" in found ? (null as never) : new Gpu(await openDevice({}));
  const backend = "reason" in found ? (null as never) : backendOn(gpu);
  afterAll(() => backend.close());

  for (const [what, count] of [
    ["one matrix", 1],
    ["a sum of two", 2],
  ] as const) {
    test(`of ${what} is that of the reference, in one block of columns and in several`, async () => {
      const expected = await solved(createReference(), count, (reference, out, parts, degrees) =>
        pageRankByBlocks(reference, out, parts, degrees, OPTIONS),
      );
      const whole = await solved(backend, count, (_, out, parts, degrees) =>
        backend.pageRank(out, parts, degrees, OPTIONS),
      );
      const inBlocks = await solved(backend, count, (_, out, parts, degrees) =>
        pageRank(gpu, backend, 64 * NODES).pageRank(out, parts, degrees, OPTIONS),
      );
      expect(Math.max(...expected.map((x, e) => Math.abs(x - whole[e])))).toBeLessThan(2e-6);
      expect(inBlocks).toEqual(whole);
      expect(Math.max(...expected)).toBeGreaterThan(0.15);
    });
  }

  test("gives back what it borrows", async () => {
    const parts = matrices(1).map((part) => upload(backend, part));
    const degrees = backend.alloc("f32", NODES);
    const out = backend.alloc("f32", NODES * NODES);
    const before = backend.memory.current;
    backend.pageRank(out, parts, degrees, OPTIONS);
    expect(backend.memory.current).toBe(before);
  });
});
