/** Makes a graph from plain arrays, trains on it, attacks three of its nodes and says which edges were flipped. */
import {
  checkGraph,
  createWasm,
  csrFromEntries,
  fgsm,
  flipActions,
  Gcn,
  Graph,
  gcnDefaults,
  Rng,
  symmetrise,
  toDevice,
  train,
  trainDefaults,
} from "../src/index.ts";

const rng = new Rng(0);
const numNodes = 60; // two groups of friends, who mostly know each other
const group = (node: number) => (node < numNodes / 2 ? 0 : 1);
const [from, to]: [number[], number[]] = [[], []];
for (let i = 0; i < numNodes; i++) {
  for (let j = 0; j < i; j++) {
    if (rng.uniform() > (group(i) === group(j) ? 0.12 : 0.01)) continue;
    from.push(i);
    to.push(j);
  }
}
const nodes = Array.from({ length: numNodes }, (_, node) => node);
const graph = checkGraph(
  new Graph({
    name: "friends",
    adjacency: symmetrise(csrFromEntries(numNodes, numNodes, from, to)),
    features: {
      numRows: numNodes,
      numCols: 2, // one row per node: noisy hints at its group
      data: Float32Array.from(nodes.flatMap((node) => [group(node) + rng.normal(), 1 - group(node) + rng.normal()])),
    },
    labels: Int32Array.from(nodes, group),
    directed: false,
  }),
);

const cpu = await createWasm();
const view = toDevice(cpu, graph);
const model = new Gcn(cpu, { features: 2, classes: 2 }, { ...gcnDefaults, hidden: [8] }, new Rng(1));
const split = { train: nodes.filter((node) => node % 3 === 0), val: nodes.filter((node) => node % 3 === 1) };
await train(model, view, { ...split, rng: new Rng(2) }, { ...trainDefaults, maxEpochs: 200 });

const { accuracy, perturbation } = await fgsm(model, view, { nodes: [2, 5, 35], budget: 20, rng: new Rng(3) });
const { flips } = perturbation;
const actions = flipActions(graph, flips);
for (const [k, action] of actions.entries()) console.log(`${action} ${flips.sources[k]} – ${flips.targets[k]}`);
console.log(`accuracy: ${accuracy.clean.toFixed(3)} clean, ${accuracy.adversarial.toFixed(3)} attacked`);
await cpu.close();
