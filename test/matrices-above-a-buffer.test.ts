import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grbcd } from "../src/attack/grbcd.ts";
import { prbcd } from "../src/attack/prbcd.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { openDevice } from "../src/backend/webgpu/device/device.ts";
import { Gpu } from "../src/backend/webgpu/device/gpu.ts";
import { backendOn } from "../src/backend/webgpu/webgpu.ts";
import { Rng } from "../src/core/rng.ts";
import { train, trainDefaults } from "../src/nn/training/train.ts";
import { attackCase } from "./support/attack-case.ts";
import { limitedDevice } from "./support/limited-device.ts";
import { testGpu } from "./support/test-gpu.ts";

const found = testGpu();
const onGpu = "reason" in found ? describe.skip : describe;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

/** 192 rows of 40 floats: features and hidden rows are in four buffers of this size. */
const BUFFER = 192 * 40 * 4;
const BUDGET = 12;

async function smallBuffers(): Promise<Backend> {
  const limits = { maxBufferSize: BUFFER, maxStorageBufferBindingSize: BUFFER };
  return backendOn(new Gpu(limitedDevice(await openDevice({}), limits)));
}

async function gcnOn(backend: Backend) {
  const options = { numNodes: 600, density: 0.005, numFeatures: 40, config: { hidden: [40, 40] } };
  const { view, model, nodes } = await attackCase(backend, 3, options);
  return { view, model, nodes, attacked: nodes.filter((i) => i % 3 === 0) };
}

onGpu(`on a GPU whose buffers are smaller than the matrices of a GCN${why}`, () => {
  let cpu: Backend;
  let gpu: Backend;
  beforeAll(async () => {
    cpu = await createWasm({ threads: 2 });
    gpu = await smallBuffers();
  });
  afterAll(async () => {
    await cpu.close();
    await gpu.close();
  });

  /** Runs the same on both, and returns what came out on the CPU and on the GPU. */
  const onBoth = async <T>(run: (on: Awaited<ReturnType<typeof gcnOn>>) => Promise<T>) => ({
    expected: await run(await gcnOn(cpu)),
    actual: await run(await gcnOn(gpu)),
  });
  const expectClose = (actual: number[], expected: number[]) => {
    for (const [t, loss] of expected.entries()) expect(actual[t]).toBeCloseTo(loss, 4);
  };

  test("training has the losses that it has on the CPU", async () => {
    const { expected, actual } = await onBoth(async ({ view, model, nodes }) => {
      const task = { train: nodes.slice(0, 150), val: nodes.slice(150), rng: new Rng(1) };
      return (await train(model, view, task, { ...trainDefaults, maxEpochs: 3 })).trainLoss;
    });
    expectClose([...actual], [...expected]);
  });
  test("PR-BCD has the losses that it has on the CPU", async () => {
    const { expected, actual } = await onBoth(async ({ view, model, attacked }) => {
      const task = { nodes: attacked, budget: BUDGET, rng: new Rng(5) };
      const { trace } = await prbcd(model, view, task, { blockSize: 300, epochs: 4, samples: 2 });
      return trace.map(({ loss }) => loss);
    });
    expectClose(actual, expected);
  });
  test("GR-BCD makes the flips that it makes on the CPU", async () => {
    const { expected, actual } = await onBoth(async ({ view, model, attacked }) => {
      const task = { nodes: attacked, budget: BUDGET, rng: new Rng(6) };
      const { flips } = (await grbcd(model, view, task, { blockSize: 300, epochs: 4 })).perturbation;
      return { sources: [...flips.sources], targets: [...flips.targets] };
    });
    expect(actual).toEqual(expected);
  });
});
