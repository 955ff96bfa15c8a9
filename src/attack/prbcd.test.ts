import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { copyBlock } from "../../test/support/block.ts";
import type { Backend } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { randomSplit } from "../data/splits.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import type { Model } from "../nn/model.ts";
import { Gcn, gcnDefaults } from "../nn/models/gcn.ts";
import { type NodeSet, nodeSet, numCorrect } from "../nn/training/node-set.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import {
  affine,
  type Block,
  Constants,
  type GraphView,
  gatherRows,
  relax,
  toDevice,
  valueAndGrad,
} from "../tensor/index.ts";
import type { AttackResult } from "./attack.ts";
import { resampleBlock, sampleBlock } from "./block.ts";
import { edgeBudget, numPairs } from "./budget.ts";
import { globalAttacks } from "./global-attacks.ts";
import { type AttackLoss, farMargin, mce, tanhMargin } from "./losses.ts";
import { type PrbcdOptions, prbcd, resolvePrbcd } from "./prbcd.ts";
import { projectOntoBudget } from "./projection.ts";
import { firstRate, PublishedStep } from "./step-size.ts";

interface Literal {
  readonly epochs: number;
  readonly fineTuneEpochs: number;
  readonly blockSize: number;
  readonly floor: number;
}

/** Loss, correct nodes and gradient in one pass; written with nothing but the tape. */
async function pass(model: Model, view: GraphView, block: Block, set: NodeSet, floor: number) {
  const { value, aux, grads } = valueAndGrad(() => {
    const logits = model.forward(relax(view, block, floor), { constants: new Constants(), dropout: null });
    return [tanhMargin(gatherRows(logits, set.nodes), set.labels), numCorrect(logits, set)] as const;
  }, [block.weights]);
  return { loss: await value.item(), correct: await aux[0].item(), gradient: grads[0] };
}

/** Algorithm 1 line by line, with a second forward pass per epoch for the accuracy after the update. */
async function literalTrace(
  model: Model,
  view: GraphView,
  { nodes, budget, rng }: { nodes: number[]; budget: number; rng: Rng },
  { epochs, fineTuneEpochs, blockSize, floor }: Literal,
) {
  const set = nodeSet(view, nodes);
  const resamplingEpochs = epochs - fineTuneEpochs;
  const step = new PublishedStep(firstRate(100, { blockSize, outOf: numPairs(view) }, { budget }, view), {
    epochs,
    fineTuneEpochs,
  });
  let drawn = sampleBlock(view, blockSize, floor, "stratified", rng);
  let block: Block = drawn;
  let best: { correct: number; block: Block } | null = null;
  const trace: { loss: number; accuracy: number }[] = [];
  for (let t = 0; t < epochs; t++) {
    const seen = await pass(model, view, block, set, floor);
    trace.push({ loss: seen.loss, accuracy: seen.correct / nodes.length });
    view.backend.affine({
      out: block.weights.buffer,
      a: 1,
      A: block.weights.buffer,
      b: step.rate(t),
      B: seen.gradient.buffer,
    });
    projectOntoBudget(block.weights, budget, floor);
    const { correct } = await pass(model, view, block, set, floor); // the second pass
    if (!best || correct < best.correct) best = { correct, block: copyBlock(view.backend, block) };
    if (t < resamplingEpochs - 1) {
      drawn = resampleBlock(view, drawn, floor, "stratified", rng);
      block = drawn;
    } else if (t === resamplingEpochs - 1) block = copyBlock(view.backend, best.block);
  }
  return trace;
}

describe("PR-BCD with the preset paper", () => {
  test("has the trace of the literal algorithm, which makes a second pass per epoch", async () => {
    for (const directed of [false, true]) {
      const backend = createReference();
      const { model, view, nodes } = await attackCase(backend, 27, { numNodes: 40, density: 0.08, directed });
      const options = { epochs: 14, fineTuneEpochs: 4, blockSize: 300, floor: 1e-7 };
      const task = { nodes, budget: 16 };
      const { trace } = await prbcd(model, view, { ...task, rng: new Rng(4) }, { preset: "paper", ...options });
      const literal = await literalTrace(model, view, { ...task, rng: new Rng(4) }, options);
      expect(trace.length).toBe(14);
      expect(new Set(trace.map(({ accuracy }) => accuracy)).size).toBeGreaterThan(2); // something happens
      // Up to the first fine-tuning epoch, which shows the graph of the best one. (Later ones can differ: the block kept
      // for an epoch holds the candidates drawn after it, not those dropped at the floor.)
      for (const [t, { loss, accuracy }] of literal.slice(0, 11).entries()) {
        expect(trace[t].loss).toBeCloseTo(loss, 10);
        expect(trace[t].accuracy).toBe(accuracy);
      }
    }
  });

  test("tries the heaviest pairs and random draws and keeps what leaves the fewest nodes right", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { model, view, nodes } = await attackCase(createReference(), seed, { numNodes: 24, density: 0.15 });
      const run = (samples: number) =>
        prbcd(model, view, { nodes, budget: 6, rng: new Rng(seed) }, { blockSize: 150, epochs: 10, samples });
      const one = await run(1);
      const many = await run(20);
      expect(many.accuracy.adversarial).toBeLessThanOrEqual(one.accuracy.adversarial);
    }
  });

  test("spends a short run on fresh blocks too, unless told how much to fine-tune", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 5, { numNodes: 24 });
    const run = (options: object) =>
      prbcd(model, view, { nodes, budget: 4, rng: new Rng(1) }, { blockSize: 60, ...options });
    const short = await run({ epochs: 8 });
    expect(short.trace).toEqual((await run({ epochs: 8, fineTuneEpochs: 2 })).trace);
    expect(short.trace).not.toEqual((await run({ epochs: 8, fineTuneEpochs: 8 })).trace);
    await expect(run({ epochs: 8, fineTuneEpochs: 9 })).rejects.toThrow("fineTuneEpochs, 9, must be at most epochs, 8");
  });

  test("refuses a block that is no larger than the budget", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 6);
    const refused = prbcd(model, view, { nodes, budget: 5, rng: new Rng(0) }, { blockSize: 5 });
    await expect(refused).rejects.toThrow(
      "prbcd: budget 5 must be below the block size, 5; raise --block-size (blockSize)",
    );
  });

  test("starts to fine-tune from the epoch with the lowest accuracy, or with the highest loss if asked", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 7, { numNodes: 30, density: 0.1 });
    const run = (bestBy: "accuracy" | "loss") =>
      prbcd(
        model,
        view,
        { nodes, budget: 9, rng: new Rng(2) },
        { preset: "paper", blockSize: 100, epochs: 12, fineTuneEpochs: 2, bestBy },
      );
    const byAccuracy = (await run("accuracy")).trace;
    const byLoss = (await run("loss")).trace;
    const after = byLoss.slice(1, 10); // what the updates before the last resampling left
    expect(byAccuracy.slice(0, 10)).toEqual(byLoss.slice(0, 10));
    expect(byAccuracy[10].score).toBeLessThanOrEqual(Math.min(...after.map(({ score }) => score)));
    expect(byLoss[10].loss).toBeGreaterThanOrEqual(Math.max(...after.map(({ loss }) => loss)) - 1e-12);
  });
});

test("PR-BCD that judges epochs by their heaviest pairs returns what did most harm", async () => {
  const gains = [];
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { model, view, nodes } = await attackCase(createReference(), seed, { numNodes: 30, density: 0.1 });
    const run = async (bestBy: "accuracy" | "discrete") => {
      const options = { preset: "paper", blockSize: 150, epochs: 12, fineTuneEpochs: 0, samples: 1, bestBy } as const;
      const { accuracy, trace } = await prbcd(model, view, { nodes, budget: 6, rng: new Rng(seed) }, options);
      return { trace, adversarial: accuracy.adversarial };
    };
    const relaxed = await run("accuracy");
    const discrete = await run("discrete");
    expect(discrete.trace).toEqual(relaxed.trace); // the search is the same, only its end is another
    gains.push(relaxed.adversarial - discrete.adversarial);
  }
  expect(Math.min(...gains)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...gains)).toBeGreaterThan(0);
});

describe("the presets of PR-BCD", () => {
  test("are settings that explicit options override", () => {
    const paper = { fineTuneEpochs: 100, step: "published", learningRateFactor: 100, sharpening: 0 };
    expect(resolvePrbcd({ preset: "paper" })).toMatchObject({ ...paper, bestBy: "accuracy", loss: tanhMargin });
    expect(resolvePrbcd({})).toEqual(resolvePrbcd({ preset: "strong" }));
    expect(resolvePrbcd({})).toMatchObject({ step: "adaptive", bestBy: "final", loss: farMargin });
    expect(resolvePrbcd({ preset: "paper", sharpening: 5, loss: mce })).toMatchObject({
      ...paper,
      sharpening: 5,
      loss: mce,
    });
  });

  test("decide about the loss that is reported where none is given", () => {
    const { loss, lossWith } = globalAttacks["prbcd"]!;
    expect([loss, lossWith!({}), lossWith!({ preset: "paper" })]).toEqual(["far-margin", "far-margin", "tanh-margin"]);
  });

  test("differ in nothing but these options", async () => {
    for (const directed of [false, true]) {
      const { model, view, nodes } = await attackCase(createReference(), 8, { numNodes: 30, density: 0.1, directed });
      const run = async (options: Partial<PrbcdOptions>) => {
        const task = { nodes, budget: 7, rng: new Rng(3) };
        const { perturbation, trace } = await prbcd(model, view, task, { blockSize: 120, epochs: 16, ...options });
        return { perturbation, trace };
      };
      const published = {
        step: "published",
        learningRateFactor: 100,
        sharpening: 0,
        bestBy: "accuracy",
        polish: 0,
      } as const;
      expect(await run({ preset: "paper" })).toEqual(await run({ ...published, loss: tanhMargin }));
      expect(await run({ preset: "paper" })).not.toEqual(await run({}));
    }
  });
});

describe("PR-BCD as it is by default", () => {
  test("drives its weights to 0 and 1, so that the relaxed graph it ends with is the discrete one", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 3, { numNodes: 40, density: 0.1 });
    const gap = async (sharpening: number) => {
      const options = { blockSize: 300, epochs: 100, samples: 1, sharpening, polish: 0 };
      const { accuracy, trace } = await prbcd(model, view, { nodes, budget: 12, rng: new Rng(1) }, options);
      return Math.abs(accuracy.adversarial - trace.at(-1)!.accuracy!);
    };
    expect(await gap(10)).toBeLessThan(await gap(0));
  });

  test("works with a budget of one flip, and with one of all pairs of a tiny graph", async () => {
    for (const numNodes of [3, 6]) {
      const { model, view, nodes } = await attackCase(createReference(), 2, { numNodes, density: 0.5 });
      for (const budget of [1, (numNodes * (numNodes - 1)) / 2]) {
        for (const epochs of [1, 2, 30]) {
          const { perturbation } = await prbcd(model, view, { nodes, budget, rng: new Rng(0) }, { epochs });
          expect(perturbation.flips.sources.length).toBeLessThanOrEqual(budget);
        }
      }
    }
  });

  test("stays finite where the gradient is zero everywhere", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 2, { numNodes: 20 });
    const nothing: AttackLoss = (logits, labels) => affine(tanhMargin(logits, labels), 0);
    const task = { nodes, budget: 5, rng: new Rng(0) };
    const { perturbation, trace } = await prbcd(model, view, task, { blockSize: 50, epochs: 80, loss: nothing });
    expect(trace.every(({ loss, mass, shift }) => loss === 0 && mass! < 0.01 && shift === 0)).toBe(true);
    expect(perturbation.flips.sources.length).toBe(5);
  });

  test("looks at the discrete graphs of the epochs that fine-tune and returns the best of them", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 5, { numNodes: 40, density: 0.1 });
    const run = async (bestBy: "final" | "discrete") => {
      const options = { blockSize: 300, epochs: 24, fineTuneEpochs: 24, samples: 1, bestBy };
      return (await prbcd(model, view, { nodes, budget: 9, rng: new Rng(1) }, options)).perturbation;
    };
    expect(await run("final")).toEqual(await run("discrete")); // all of them fine-tune
  });
});

describe("against a trained GCN on the built-in graph", () => {
  const graph = syntheticCitation();
  const { train: trainNodes, val, test: nodes } = randomSplit(graph.labels, graph.numClasses, 0);
  let backend: Backend;
  let attack: (epsilon: number, options: Partial<PrbcdOptions>, seed?: number) => Promise<AttackResult["accuracy"]>;

  beforeAll(async () => {
    backend = await createWasm();
    const view = toDevice(backend, graph);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [16] }, new Rng(0));
    await train(model, view, { train: trainNodes, val, rng: new Rng(1) }, { ...trainDefaults, maxEpochs: 100 });
    attack = async (epsilon, options, seed = 0) => {
      const task = { nodes, budget: edgeBudget(graph, epsilon), rng: new Rng(seed) };
      return (await prbcd(model, view, task, { blockSize: 50_000, epochs: 40, polish: 0, ...options })).accuracy;
    };
  });
  afterAll(() => backend.close());

  test("stratified and uniform draws reach the same accuracy, far below the clean one", async () => {
    const accuracies: number[] = [];
    for (const draw of ["stratified", "uniform"] as const) {
      for (const seed of [0, 1]) {
        const accuracy = await attack(0.05, { draw }, seed);
        expect(accuracy.adversarial).toBeLessThan(accuracy.clean - 0.05);
        accuracies.push(accuracy.adversarial);
      }
    }
    expect(Math.max(...accuracies) - Math.min(...accuracies)).toBeLessThan(0.02);
  });

  test.each([0.01, 0.1, 0.5])(
    "the preset strong leaves fewer nodes right than paper, with a budget of %d",
    async (epsilon) => {
      const strong = await attack(epsilon, { preset: "strong" });
      const paper = await attack(epsilon, { preset: "paper" });
      expect(strong.adversarial).toBeLessThan(paper.adversarial);
    },
  );
});
