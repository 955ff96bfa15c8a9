/** Finds flips on one model and applies them to others: does an attack on a GCN fool a GAT, or an MLP? */
import {
  accuracyAfter,
  createWasm,
  edgeBudget,
  evaluate,
  prbcd,
  Rng,
  randomSplit,
  resolveHyperparameters,
  syntheticCitation,
  toDevice,
  vanillaModels,
} from "../src/index.ts";

const cpu = await createWasm();
const graph = syntheticCitation();
const view = toDevice(cpu, graph);
const split = randomSplit(graph.labels, graph.numClasses, 0);

async function trained(name: string) {
  const kind = vanillaModels[name];
  const { model: config, training } = resolveHyperparameters(name, kind, { maxEpochs: 60, hidden: [16] });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = kind.create(cpu, sizes, config, new Rng(0));
  await kind.train(model, view, { train: split.train, val: split.val, rng: new Rng(1) }, training);
  return model;
}

const surrogate = await trained("gcn");
const task = { nodes: split.test, budget: edgeBudget(graph, 0.1), rng: new Rng(2) };
const { perturbation } = await prbcd(surrogate, view, task, { blockSize: 100_000, epochs: 40 });

for (const name of ["gcn", "gat", "mlp"]) {
  const model = name === "gcn" ? surrogate : await trained(name);
  const clean = await evaluate(model, view, split.test);
  const attacked = await accuracyAfter(model, view, perturbation.flips, split.test);
  console.log(`${name.padEnd(4)} accuracy: ${clean.toFixed(3)} clean, ${attacked.toFixed(3)} attacked`);
}
await cpu.close();
