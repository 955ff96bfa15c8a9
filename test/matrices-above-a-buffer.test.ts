import { expect, test } from "vitest";
import { grbcd } from "../src/attack/grbcd.ts";
import { prbcd } from "../src/attack/prbcd.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { openDevice } from "../src/backend/webgpu/device/device.ts";
import { Gpu } from "../src/backend/webgpu/device/gpu.ts";
import { backendOn } from "../src/backend/webgpu/webgpu.ts";
import { Rng } from "../src/core/rng.ts";
import { evaluate } from "../src/nn/training/evaluate.ts";
import { train, trainDefaults } from "../src/nn/training/train.ts";
import { attackCase } from "./support/attack-case.ts";
import { limitedDevice } from "./support/limited-device.ts";
import { swiftShader } from "./support/swiftshader.ts";

const found = swiftShader();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

/** 192 rows of 40 floats: features and hidden rows are in four buffers of this size. */
const BUFFER = 192 * 40 * 4;

async function smallBuffers(): Promise<Backend> {
  const limits = { maxBufferSize: BUFFER, maxStorageBufferBindingSize: BUFFER };
  return backendOn(new Gpu(limitedDevice(await openDevice({}), limits)));
}

/** A GCN trained for some epochs, then attacked in two ways. */
async function trainAndAttack(backend: Backend) {
  const options = { numNodes: 600, density: 0.005, numFeatures: 40, config: { hidden: [40, 40] } };
  const { view, model, nodes } = await attackCase(backend, 3, options);
  const training = { train: nodes.slice(0, 150), val: nodes.slice(150), rng: new Rng(1) };
  const { trainLoss } = await train(model, view, training, { ...trainDefaults, maxEpochs: 3 });
  const attacked = nodes.filter((i) => i % 3 === 0);
  const budget = 12;
  const relaxed = await prbcd(
    model,
    view,
    { nodes: attacked, budget, rng: new Rng(5) },
    { blockSize: 300, epochs: 4, samples: 2 },
  );
  const greedy = await grbcd(model, view, { nodes: attacked, budget, rng: new Rng(6) }, { blockSize: 300, epochs: 4 });
  const accuracy = await evaluate(model, view, nodes);
  await backend.close();
  return {
    accuracy,
    losses: [...trainLoss, ...relaxed.trace.map(({ loss }) => loss)],
    flips: [...greedy.perturbation.flips.sources, ...greedy.perturbation.flips.targets],
  };
}

onGpu(`training and attacks are the same where matrices are larger than a buffer of the GPU${why}`, async () => {
  const expected = await trainAndAttack(await createWasm({ threads: 2 }));
  const actual = await trainAndAttack(await smallBuffers());
  expect(actual.accuracy).toBeCloseTo(expected.accuracy, 2);
  expect(actual.flips).toEqual(expected.flips);
  for (const [t, loss] of expected.losses.entries()) expect(actual.losses[t]).toBeCloseTo(loss, 4);
});
