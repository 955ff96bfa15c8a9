/**
 * Trains a GCN on the built-in graph, then looks for the fewest flips at each of some nodes that change its prediction.
 */
import {
  createWasm,
  fga,
  Gcn,
  gcnDefaults,
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
const training = { train: split.train, val: split.val, rng: new Rng(1) };
await train(model, view, training, { ...trainDefaults, maxEpochs: 100 });

// Attacks each node alone, on the clean graph; a result arrives when its node is finished.
const nodes = split.test.slice(0, 20);
const task = { nodes, budget: { flips: 10, minimal: true }, rng: new Rng(2) };
let rightBefore = 0;
let rightAfter = 0;
for await (const { node, degree, clean, adversarial, perturbation, success } of fga(model, view, task)) {
  if (clean.correct) rightBefore++;
  if (adversarial.correct) rightAfter++;
  const { length } = perturbation.flips.sources;
  if (success) console.log(`node ${node} of degree ${degree}: ${length} flips make ${adversarial.prediction} of it`);
}
const [before, after] = [rightBefore, rightAfter].map((right) => (right / nodes.length).toFixed(3));
console.log(`accuracy: ${before} clean, ${after} attacked`);
await cpu.close();
