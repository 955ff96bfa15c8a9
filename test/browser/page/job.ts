// What the engine is asked to do in Node and on a page alike: train a GCN on a small graph, and attack it with PR-BCD.
import { createWasm, createWebGpu, Rng, toDevice } from "rgnn";
import { prbcd } from "rgnn/attack";
import { generateShape, scaleShape, shapeNamed } from "rgnn/graph";
import { Gcn, gcnDefaults, train, trainDefaults } from "rgnn/nn";

export interface Job {
  readonly device: "wasm" | "webgpu";
  /** Of the CPU; as many as possible if left out. */
  readonly threads?: number;
  /** Without, it only trains. */
  readonly attack: boolean;
}

export interface JobResult {
  readonly trainLoss: readonly number[];
  readonly sources?: readonly number[];
  readonly targets?: readonly number[];
}

export async function trainAndAttack({ device, threads, attack }: Job): Promise<JobResult> {
  const cpuOptions = { relaxedSimd: false, ...(threads !== undefined && { threads }) };
  const backend = device === "wasm" ? await createWasm(cpuOptions) : await createWebGpu();
  const graph = generateShape({ ...scaleShape(shapeNamed("cora_ml"), 0.03), numFeatures: 12 });
  const view = toDevice(backend, graph);
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [8] }, new Rng(0));
  const nodes = Array.from({ length: graph.numNodes }, (_, i) => i);
  const task = { train: nodes.slice(0, 40), val: nodes.slice(40), rng: new Rng(1) };
  const { trainLoss } = await train(model, view, task, { ...trainDefaults, maxEpochs: attack ? 20 : 4 });
  if (!attack) {
    await backend.close();
    return { trainLoss };
  }
  const options = { blockSize: 500, epochs: 12, fineTuneEpochs: 3, samples: 3 };
  const { perturbation } = await prbcd(model, view, { nodes, budget: 10, rng: new Rng(2) }, options);
  const { flips } = perturbation;
  await backend.close();
  return { trainLoss, sources: [...flips.sources], targets: [...flips.targets] };
}
