import { describe, expect, test } from "vitest";
import { firstDifference } from "../../../../test/contract/compare.ts";
import { Side } from "../../../../test/contract/side.ts";
import { PACK_ALL } from "../../../../test/support/halves-everywhere.ts";
import { limitedDevice } from "../../../../test/support/limited-device.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { MemoryError, ShapeError } from "../../../core/errors.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { createReference } from "../../reference/reference.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn, type GpuKernelOptions } from "../webgpu.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

/** 64 rows of 40 floats, the least that fits a binding of this size, are a piece. */
const BINDING = 64 * 40 * 4;

async function limited(limits: Parameters<typeof limitedDevice>[1], options: GpuKernelOptions = {}): Promise<Backend> {
  return backendOn(new Gpu(limitedDevice(await openDevice({}), limits)), options, PACK_ALL);
}

async function expectSame(
  backend: Backend,
  run: (side: Side) => Record<string, Buffer>,
  tolerance = 1e-5,
): Promise<void> {
  const actual = new Side(backend);
  const expected = new Side(createReference());
  const results = run(actual);
  const wanted = run(expected);
  for (const [name, buffer] of Object.entries(results)) {
    const values = await backend.read(buffer);
    expect(firstDifference(values, await expected.backend.read(wanted[name]), tolerance, 30), name).toBeNull();
  }
}

/** A graph whose matrices of 40 columns take two bindings, or more. */
function products(side: Side, nodes = 110) {
  const cols = 40;
  const length = 60;
  const lengths = (most: number) => Array.from({ length: nodes }, (_, i) => (i * 7) % most);
  const graph = { A: side.csr(nodes, lengths(9), false), B: side.csr(nodes, lengths(3)) };
  const X = side.normal(nodes * cols);
  const by = side.uniform(nodes, 0.5, 1);
  const pairs = {
    numNodes: nodes,
    directed: false,
    length,
    sources: side.indices(length, nodes),
    targets: side.indices(length, nodes),
  };
  const convolved = side.out(nodes * cols);
  const summed = side.out(nodes * cols);
  const sampled = side.out(length);
  const finish = { bias: side.normal(cols), relu: true };
  side.backend.convolve({ out: convolved, graph, X, cols, scale: { by, sides: "both" }, finish });
  side.backend.spmm(summed, graph.B, X, cols);
  side.backend.sddmm({
    out: sampled,
    pairs,
    P: X,
    Q: X,
    cols,
    symmetric: true,
    scale: { by, sides: "both" },
  });
  const some = side.out(length * cols);
  side.backend.convolveRows({
    out: some,
    rows: pairs.sources,
    graph,
    X,
    cols,
    scale: { by, sides: "both" },
    finish: { bias: finish.bias },
  });
  const added = side.normal(nodes * cols);
  side.backend.spmm(added, graph.B, X, cols, true);
  const dX = side.out(nodes * cols);
  const dScale = side.out(nodes);
  const dots = side.normal(nodes);
  side.backend.convolveGrad!({ grads: { dX, dScale }, graph, dZ: X, X, cols, scale: { by, dots } });
  side.backend.convolveGrad!({
    grads: { dX: null, dScale },
    graph,
    dZ: X,
    X,
    cols,
    scale: { by, dots, accumulate: true },
  });
  return { convolved, summed, sampled, some, added, dX, dScale };
}

/** What training does with matrices of 330 rows beside convolving them; those of 40 columns are in six buffers. */
function denseWork(side: Side) {
  const { backend } = side;
  const rows = 330;
  const A = side.normal(rows * 40);
  const Y = side.normal(rows * 40);
  const W = side.normal(20 * 40);
  const product = side.out(rows * 40);
  const back = side.out(rows * 20);
  const weights = side.out(20 * 40);
  const sums = side.out(40);
  const dots = side.out(rows);
  const dropped = side.out(rows * 40);
  const scaled = side.normal(rows * 40);
  const finish = { bias: side.normal(40), relu: true };
  const narrow = side.normal(rows * 20);
  backend.matmul(product, narrow, W, { m: rows, n: 40, k: 20 }, finish);
  backend.matmul(back, A, W, { m: rows, n: 20, k: 40, transB: true });
  backend.matmul(weights, narrow, A, { m: 20, n: 40, k: rows, transA: true });
  backend.colDots(sums, A, Y, rows, 40);
  backend.finishGrad({ dZ: A, dots, dY: A, Y, rows, cols: 40, finish });
  backend.reluDropout(dropped, Y, 0.5, { lo: 1, hi: 2 });
  backend.binary("add", scaled, scaled, Y);
  backend.copyIf([[product, scaled]], side.uniform(1, 1, 2));
  return { product, back, weights, sums, dots, A, dropped, scaled };
}

describe("matrices larger than a binding", () => {
  onGpu(`are written in pieces of rows and gathered from in two windows${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING });
    await expectSame(backend, products);
    await backend.close();
  });
  onGpu(`are gathered from in one where half of their bytes fit a binding${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING }, { precision: "half" });
    await expectSame(backend, products, 4e-3);
    await backend.close();
  });
  onGpu(`are kept in several buffers and gathered from some columns after the others${why}`, async () => {
    const limits = { maxStorageBufferBindingSize: BINDING, maxBufferSize: BINDING };
    for (const precision of ["single", "half"] as const) {
      const backend = await limited(limits, { precision });
      await expectSame(backend, (side) => products(side, 330), precision === "half" ? 4e-3 : 1e-5);
      await backend.close();
    }
  });
  onGpu(`are copied, multiplied and added up whatever buffers they lie in${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING, maxBufferSize: BINDING });
    await expectSame(backend, denseWork);
    await backend.close();
  });
  onGpu(`of a width that does not fit the buffers are refused, with the widths that do${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING, maxBufferSize: BINDING });
    const side = new Side(backend);
    const run = () => backend.rowDots(side.out(900), side.normal(900 * 7), null, 900, 7);
    expect(run).toThrow(MemoryError);
    expect(run).toThrow(
      "is kept in buffers of 0.0 MiB, and one of its rows would lie in two of them; use a number of columns that divides 40",
    );
    await backend.close();
  });
  onGpu(`have no more rows than a device can gather four columns from${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING, maxBufferSize: BINDING });
    const side = new Side(backend);
    const nodes = 700;
    const A = side.csr(nodes, Array(nodes).fill(1), false);
    const scale = { by: side.uniform(nodes, 0, 1), sides: "both" as const };
    const X = side.normal(nodes * 40);
    const run = () => backend.convolve({ out: side.out(nodes * 40), graph: { A, B: null }, X, cols: 40, scale });
    expect(run).toThrow(ShapeError);
    expect(run).toThrow("webgpu: a matrix of 700 rows is gathered from, the device allows 640");
    await backend.close();
  });
  onGpu(`where a kernel takes no pieces are refused with a MemoryError${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING });
    const side = new Side(backend);
    const run = () => backend.topK(side.out(5, "i32"), side.normal(5000));
    expect(run).toThrow(MemoryError);
    expect(run).toThrow(/a kernel was given .* MiB at once, the device allows .*; use a smaller graph/);
    await backend.close();
  });
});

describe("a device that binds eight buffers", () => {
  onGpu(`convolves by simpler kernels, to the same result${why}`, async () => {
    const backend = await limited({ maxStorageBuffersPerShaderStage: 8 });
    await expectSame(backend, products);
    await backend.close();
  });
});
