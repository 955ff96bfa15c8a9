import { createWasm, Rng, randomSplit, syntheticCitation, toDevice } from "rgnn";
import { edgeBudget, prbcd } from "rgnn/attack";
import { evaluate, Gcn, gcnDefaults, train, trainDefaults } from "rgnn/nn";

/** A line for the page. */
export interface Report {
  readonly text: string;
  readonly state: "running" | "done" | "failed";
}

const report = (text: string, state: Report["state"] = "running") => postMessage({ text, state } satisfies Report);

async function trainAndAttack(): Promise<void> {
  const cpu = await createWasm(); // every core where the page is cross-origin isolated, else one
  report(`${crossOriginIsolated ? navigator.hardwareConcurrency : 1} threads`);
  const graph = syntheticCitation();
  const view = toDevice(cpu, graph);
  const split = randomSplit(graph.labels, graph.numClasses, 0);

  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(cpu, sizes, gcnDefaults, new Rng(0));
  const task = { train: split.train, val: split.val, rng: new Rng(1) };
  await train(model, view, task, { ...trainDefaults, maxEpochs: 100 });
  report(`trained: ${(await evaluate(model, view, split.val)).toFixed(3)} of the validation nodes are right`);

  const attack = { nodes: split.test, budget: edgeBudget(graph, 0.05), rng: new Rng(2) };
  const { accuracy, perturbation } = await prbcd(model, view, attack, { blockSize: 100_000, epochs: 50, polish: 3 });
  await cpu.close();
  report(`${perturbation.flips.sources.length} flips`);
  report(`accuracy: ${accuracy.clean.toFixed(3)} clean, ${accuracy.adversarial.toFixed(3)} attacked`, "done");
}

trainAndAttack().catch((error) => report(String(error), "failed"));
