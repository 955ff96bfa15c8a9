import { describe, expect, test } from "vitest";
import { firstDifference } from "../../../../test/contract/compare.ts";
import { Side } from "../../../../test/contract/side.ts";
import { PACK_ALL } from "../../../../test/support/halves-everywhere.ts";
import { limitedDevice } from "../../../../test/support/limited-device.ts";
import { swiftShader } from "../../../../test/support/swiftshader.ts";
import { MemoryError, ShapeError } from "../../../core/errors.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { createReference } from "../../reference/reference.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn, type GpuKernelOptions } from "../webgpu.ts";

const found = swiftShader();
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

/** A graph whose matrices of 40 columns take two bindings. */
function products(side: Side) {
  const nodes = 110;
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
  return { convolved, summed, sampled, dX, dScale };
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
  onGpu(`of more than two windows are refused, with the way out${why}`, async () => {
    const backend = await limited({ maxStorageBufferBindingSize: BINDING });
    const side = new Side(backend);
    const A = side.csr(130, Array(130).fill(1), false);
    const scale = { by: side.uniform(130, 0, 1), sides: "both" as const };
    const run = () =>
      backend.convolve({ out: side.out(130 * 40), graph: { A, B: null }, X: side.normal(130 * 40), cols: 40, scale });
    expect(run).toThrow(ShapeError);
    expect(run).toThrow(
      "webgpu: a matrix of 130 rows and 40 columns is over two bindings of 64 rows; use fewer columns",
    );
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
