/** Trains a GCN on the built-in graph, then flips 5% of its edges so that it errs as often as possible. */
import {
  createWasm,
  edgeBudget,
  evaluate,
  Gcn,
  gcnDefaults,
  prbcd,
  Rng,
  randomSplit,
  syntheticCitation,
  toDevice,
  train,
  trainDefaults,
} from "../src/index.ts";

const cpu = await createWasm();
const graph = syntheticCitation();
const view = toDevice(cpu, graph);
const split = randomSplit(graph.labels, graph.numClasses, 0);

const sizes = { features: graph.numFeatures, classes: graph.numClasses };
const model = new Gcn(cpu, sizes, gcnDefaults, new Rng(0));
const task = { train: split.train, val: split.val, rng: new Rng(1) };
await train(model, view, task, { ...trainDefaults, maxEpochs: 100 });
console.log(`trained: ${(await evaluate(model, view, split.val)).toFixed(3)} of the validation nodes are right`);

const attack = { nodes: split.test, budget: edgeBudget(graph, 0.05), rng: new Rng(2) };
const { accuracy, perturbation } = await prbcd(model, view, attack, { blockSize: 100_000, epochs: 50 });
console.log(`${perturbation.flips.sources.length} flips`);
console.log(`accuracy: ${accuracy.clean.toFixed(3)} clean, ${accuracy.adversarial.toFixed(3)} attacked`);
await cpu.close();
