import { describe, expect, test } from "vitest";
import { PACK_ALL } from "../../../../test/support/halves-everywhere.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import type { Buffer } from "../../backend.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn } from "../webgpu.ts";
import { packingPays, USUAL_PACKING } from "./packing-rule.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 100;
const COLS = 40;
const SIZE = NODES * COLS;

/** A ring on a GPU that packs what it gathers, and a matrix of a row for each of its nodes. */
async function ring() {
  const gpu = new Gpu(await openDevice({}));
  const backend = backendOn(gpu, { precision: "half" }, PACK_ALL);
  const nodes = Array.from({ length: NODES }, (_, i) => i);
  const rowPtr = Int32Array.from([...nodes, NODES]);
  const next = Int32Array.from(nodes, (i) => (i + 1) % NODES);
  const A = {
    numRows: NODES,
    numCols: NODES,
    rowPtr: backend.upload(rowPtr),
    colIdx: backend.upload(next),
    values: null,
  };
  const pairs = {
    numNodes: NODES,
    directed: false,
    length: NODES,
    sources: backend.upload(Int32Array.from(nodes)),
    targets: backend.upload(next),
  };
  const by = backend.alloc("f32", NODES);
  backend.fill(by, 1);
  const scale = { by, sides: "both" as const };
  const out = backend.alloc("f32", SIZE);
  const products = backend.alloc("f32", NODES);
  return {
    gpu,
    backend,
    convolve: (X: Buffer) => backend.convolve({ out, graph: { A, B: null }, X, cols: COLS, scale }),
    multiply: (X: Buffer) => backend.sddmm({ out: products, pairs, P: X, Q: X, cols: COLS, scale }),
    firstSum: async () => (await backend.read(out))[0],
    firstProduct: async () => (await backend.read(products))[0],
  };
}

async function timesPacked(gpu: Gpu, run: () => Promise<unknown>): Promise<number> {
  const times = gpu.measureKernels();
  await run();
  const packing = (await times.take()).filter(({ kernel }) => kernel.startsWith("pack-rows"));
  return packing.reduce((sum, { launches }) => sum + launches, 0);
}

describe("rows packed as halves", () => {
  onGpu(`serve every kernel that gathers them until the matrix is written to${why}`, async () => {
    const { gpu, backend, convolve, multiply, firstSum, firstProduct } = await ring();
    const X = backend.upload(new Float32Array(SIZE).fill(3));
    const packed = await timesPacked(gpu, async () => {
      convolve(X);
      multiply(X);
      expect([await firstSum(), await firstProduct()]).toEqual([6, 9 * COLS]);
      backend.fill(X, 0.5); // by a kernel
      multiply(X);
      convolve(X);
      expect([await firstSum(), await firstProduct()]).toEqual([1, COLS / 4]);
      backend.write(X, new Float32Array(SIZE).fill(2)); // by the host
      convolve(X);
      expect(await firstSum()).toBe(4);
    });
    expect(packed).toBe(3);
    await backend.close();
  });
  onGpu(`are given back with the matrix${why}`, async () => {
    const { gpu, backend, convolve } = await ring();
    const { current: before } = gpu.heap;
    const step = () => {
      const X = backend.alloc("f32", SIZE);
      backend.fill(X, 1);
      convolve(X);
      backend.free(X);
    };
    step();
    expect(gpu.heap.peak).toBeGreaterThanOrEqual(before + 6 * SIZE);
    expect(gpu.heap.current).toBe(before);
    const { reserved } = gpu.heap;
    for (let t = 0; t < 5; t++) step();
    expect(gpu.heap.reserved).toBe(reserved);
    await backend.close();
  });
});

describe("packing", () => {
  test("pays for wide rows of a large graph that are gathered more than three times", () => {
    const arxiv = { rows: 169_343, cols: 256, entries: 2_315_598 };
    expect(packingPays(arxiv, USUAL_PACKING)).toBe(true);
    expect(packingPays({ ...arxiv, entries: 3 * arxiv.rows }, USUAL_PACKING)).toBe(false);
    expect(packingPays({ ...arxiv, cols: 32 }, USUAL_PACKING)).toBe(false);
  });
  test("does not pay on a small graph, where a launch takes longer than what it saves", () => {
    expect(packingPays({ rows: 2_810, cols: 64, entries: 15_962 }, USUAL_PACKING)).toBe(false);
  });
});
