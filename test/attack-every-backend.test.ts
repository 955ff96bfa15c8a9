import { describe, expect, test } from "vitest";
import { Constraints } from "../src/attack/constraints/constraints.ts";
import { fgsm } from "../src/attack/fgsm.ts";
import { grbcd } from "../src/attack/grbcd.ts";
import { localPrbcd } from "../src/attack/local/local-prbcd.ts";
import { targetedAt } from "../src/attack/objective.ts";
import { prbcd } from "../src/attack/prbcd.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { createWebGpu } from "../src/backend/webgpu/webgpu.ts";
import { UserError } from "../src/core/errors.ts";
import { Rng } from "../src/core/rng.ts";
import { createSoftMedianGdc, softMedianGdcDefaults } from "../src/defense/robust-gdc.ts";
import { createSoftMedianPprgo, robustPprgoDefaults } from "../src/defense/robust-pprgo.ts";
import { evaluate } from "../src/nn/training/evaluate.ts";
import { train, trainDefaults } from "../src/nn/training/train.ts";
import { attackCase } from "./support/attack-case.ts";
import { halvesEverywhere } from "./support/halves-everywhere.ts";
import { testGpu } from "./support/test-gpu.ts";

const device = testGpu();
const onGpu = "reason" in device ? test.skip : test;
const why = "reason" in device ? ` (skipped: ${device.reason})` : "";

/** A whole PR-BCD attack with both stages on a random graph. */
async function attack(backend: Backend, hidden = [4]) {
  const { view, model, nodes } = await attackCase(backend, 3, { numNodes: 60, density: 0.08, config: { hidden } });
  const task = { nodes, budget: 12, rng: new Rng(5) };
  const options = { preset: "paper", blockSize: 400, epochs: 25, fineTuneEpochs: 5, samples: 5 } as const; // strong: rounding decides more
  const { perturbation, accuracy, trace } = await prbcd(model, view, task, options);
  const { flips } = perturbation;
  await backend.close();
  return { flips: { sources: [...flips.sources], targets: [...flips.targets] }, accuracy, trace };
}

describe("PR-BCD with the same seed", () => {
  test("makes the same flips on the CPU as on the reference", async () => {
    const expected = await attack(createReference());
    const actual = await attack(await createWasm({ threads: 2 }));
    expect(actual.flips).toEqual(expected.flips);
    expect(actual.accuracy).toEqual(expected.accuracy);
  });
  onGpu(`makes the same flips on a GPU as on the reference, with losses that differ by rounding${why}`, async () => {
    const expected = await attack(createReference());
    const actual = await attack(await createWebGpu());
    expect(actual.flips).toEqual(expected.flips);
    expect(actual.accuracy).toEqual(expected.accuracy);
    for (const [t, { loss }] of expected.trace.entries()) expect(actual.trace[t].loss).toBeCloseTo(loss, 4);
  });
  onGpu(`is as strong on a GPU that gathers rows as halves${why}`, async () => {
    const hidden = [16, 16]; // rows that can be packed
    const expected = await attack(createReference(), hidden);
    const actual = await attack(await halvesEverywhere(), hidden);
    const node = 1 / 60;
    expect(Math.abs(actual.accuracy.adversarial - expected.accuracy.adversarial)).toBeLessThanOrEqual(node);
    expect(actual.trace.map(({ loss }) => loss)).not.toEqual(expected.trace.map(({ loss }) => loss));
    for (const [t, { loss }] of expected.trace.entries()) expect(actual.trace[t].loss).toBeCloseTo(loss, 1);
  });
});

/** Every step of GR-BCD takes the largest gradient, so that flips agree only if gradients do. */
async function attackThroughPageRank(backend: Backend) {
  const { graph, view, nodes } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = createSoftMedianGdc(backend, sizes, { ...softMedianGdcDefaults, hidden: [8], k: 10 }, new Rng(4));
  const options = { blockSize: 300, epochs: 6 };
  const { flips } = (await grbcd(model, view, { nodes, budget: 6, rng: new Rng(5) }, options)).perturbation;
  await backend.close();
  return { sources: [...flips.sources], targets: [...flips.targets] };
}

describe("GR-BCD through PageRank and Soft Median with the same seed", () => {
  test("makes the same flips on the CPU as on the reference", async () => {
    const expected = await attackThroughPageRank(createReference());
    expect(await attackThroughPageRank(await createWasm({ threads: 2 }))).toEqual(expected);
  });
  onGpu(`makes the same flips on a GPU as on the reference${why}`, async () => {
    const expected = await attackThroughPageRank(createReference());
    expect(await attackThroughPageRank(await createWebGpu())).toEqual(expected);
  });
});

/** Blocks that are masked, drawn on the host and projected onto limits, and tiles that are masked anew after each flip. */
async function attackWithin(backend: Backend) {
  const { graph, view, model, nodes } = await attackCase(backend, 3, { numNodes: 60, density: 0.08 });
  const options = { blockSize: 80, epochs: 10, fineTuneEpochs: 3, samples: 3 };
  const found: unknown[] = [];
  for (const rules of [
    { perNode: 1, only: "additions" },
    { only: "removals", protectedNodes: [4] },
  ] as const) {
    const constraints = new Constraints(graph, rules);
    const task = { nodes, budget: 8, constraints, objective: targetedAt(1) };
    const projected = await prbcd(model, view, { ...task, rng: new Rng(5) }, options);
    const greedy = await fgsm(model, view, { ...task, rng: new Rng(5) });
    for (const { perturbation, score } of [projected, greedy]) found.push([perturbation.flips, score]);
  }
  await backend.close();
  return found;
}

describe("attacks towards a class, within constraints", () => {
  test("make the same flips on the CPU as on the reference", async () => {
    expect(await attackWithin(await createWasm({ threads: 2 }))).toEqual(await attackWithin(createReference()));
  });
  onGpu(`make the same flips on a GPU as on the reference${why}`, async () => {
    expect(await attackWithin(await createWebGpu())).toEqual(await attackWithin(createReference()));
  });
});

/** Margins of some nodes after local PR-BCD, on a GCN by patched passes and on Soft Median PPRGo by updated rows. */
async function attackNodes(backend: Backend) {
  const { graph, view, model } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const pprgo = createSoftMedianPprgo(backend, sizes, { ...robustPprgoDefaults, hidden: [8], k: 10 }, new Rng(4));
  const margins: number[] = [];
  for (const victim of [model, pprgo]) {
    const task = { nodes: [1, 5], budget: { flips: 2 }, rng: new Rng(5) };
    for await (const { adversarial } of localPrbcd(victim, view, task, { epochs: 4, evaluations: 30 })) {
      margins.push(adversarial.margin);
    }
  }
  await backend.close();
  return margins;
}

describe("local PR-BCD with the same seed", () => {
  test("does the same on the CPU as on the reference, up to rounding", async () => {
    const expected = await attackNodes(createReference());
    const actual = await attackNodes(await createWasm({ threads: 2 }));
    for (const [k, margin] of expected.entries()) expect(actual[k]).toBeCloseTo(margin, 3);
  });
  onGpu(`does the same on a GPU as on the reference, up to rounding${why}`, async () => {
    const expected = await attackNodes(createReference());
    const actual = await attackNodes(await createWebGpu());
    for (const [k, margin] of expected.entries()) expect(actual[k]).toBeCloseTo(margin, 3);
  });
});

describe("the WebGPU backend", () => {
  onGpu(`trains a model to the accuracy that the CPU reaches${why}`, async () => {
    const results = [];
    for (const backend of [await createWasm({ threads: 1 }), await createWebGpu()]) {
      const { view, model, nodes } = await attackCase(backend, 9, { numNodes: 40, density: 0.1 });
      const task = { train: nodes.slice(0, 20), val: nodes.slice(20), rng: new Rng(1) };
      const { trainLoss } = await train(model, view, task, { ...trainDefaults, maxEpochs: 10 });
      results.push({ loss: trainLoss.at(-1)!, accuracy: await evaluate(model, view, nodes) });
      await backend.close();
    }
    expect(results[1].loss).toBeCloseTo(results[0].loss, 3);
    expect(results[1].accuracy).toBeCloseTo(results[0].accuracy, 1);
  });
  onGpu(`gives all memory back after an attack${why}`, async () => {
    const backend = await createWebGpu();
    const { view, model, nodes } = await attackCase(backend, 3, { numNodes: 30, density: 0.1 });
    await prbcd(model, view, { nodes, budget: 4, rng: new Rng(5) }, { blockSize: 100, epochs: 4, samples: 2 });
    model.dispose();
    view.dispose();
    expect(backend.memory.current).toBe(0);
    await backend.close();
  });
  onGpu(`refuses work once it is closed${why}`, async () => {
    const backend = await createWebGpu();
    const buffer = backend.upload(Float32Array.of(1, 2));
    await backend.close();
    expect(() => backend.fill(buffer, 0)).toThrow(UserError);
    expect(() => backend.fill(buffer, 0)).toThrow("the backend was closed");
  });
});
