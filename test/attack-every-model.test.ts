import { describe, expect, test } from "vitest";
import { globalAttacks } from "../src/attack/global-attacks.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { defaultsOf } from "../src/core/options/index.ts";
import { Rng } from "../src/core/rng.ts";
import { modelKinds } from "../src/defense/model-kinds.ts";
import { applyFlips } from "../src/graph/flips.ts";
import { Graph } from "../src/graph/graph.ts";
import { evaluate, predict } from "../src/nn/training/evaluate.ts";
import { argmaxRows, Constants, relax, sumSquares, toDevice, valueAndGrad } from "../src/tensor/index.ts";
import { randomGraph } from "./support/any-graph.ts";
import { makeBlock } from "./support/block.ts";
import { expectValues } from "./support/dense.ts";

/** A small graph and an untrained model of this kind, which is right about every node. */
async function caseFor(name: string) {
  const backend = createReference();
  const drawn = randomGraph(16, 0.25, 27, { numFeatures: 5 });
  const kind = modelKinds[name];
  const model = kind.create(backend, { features: 5, classes: 3 }, defaultsOf(kind.options), new Rng(3));
  const labels = await argmaxRows(predict(model, toDevice(backend, drawn))).read();
  const graph = new Graph({ ...drawn, labels });
  return { backend, graph, model, view: toDevice(backend, graph) };
}

const nodes = Array.from({ length: 16 }, (_, node) => node);
const quick: Record<string, object> = {
  prbcd: { blockSize: 40, epochs: 4, samples: 3, polish: 2 },
  grbcd: { blockSize: 40, epochs: 2 },
  pgd: { epochs: 3, samples: 3 },
};

describe.each(Object.keys(modelKinds))("%s", (name) => {
  test("is attacked through its own gradients, or refuses in one line that names a way out", async () => {
    const { backend, graph, model, view } = await caseFor(name);
    for (const attack of ["prbcd", "grbcd", "pgd", "fgsm"]) {
      const run = globalAttacks[attack].run(model, view, { nodes, budget: 3, rng: new Rng(1) }, quick[attack]);
      if (!model.differentiable.edges) {
        await expect(run).rejects.toThrow("attack a surrogate such as gcn and transfer");
        continue;
      }
      const { perturbation, accuracy } = await run;
      const perturbed = toDevice(backend, applyFlips(graph, perturbation.flips));
      expect(accuracy.adversarial).toBe(await evaluate(model, perturbed, nodes)); // B3
    }
  });

  test("is attacked by evolution, which asks for its predictions alone", async () => {
    const { backend, graph, model, view } = await caseFor(name);
    const options = { epochs: 2, offspring: 4, probes: 16 };
    const run = await globalAttacks["eva"].run(model, view, { nodes, budget: 3, rng: new Rng(1) }, options);
    const { flips } = run.perturbation;
    expect(flips.sources.length).toBeLessThanOrEqual(3);
    if (name === "rgcn") return; // its predictions are random
    const perturbed = toDevice(backend, applyFlips(graph, flips));
    expect(run.accuracy.adversarial).toBe(await evaluate(model, perturbed, nodes)); // B3
    expect(run.accuracy.adversarial).toBeLessThanOrEqual(run.accuracy.clean);
  });

  test("sees candidates of weight 0 not at all and those of weight 1 as flips, if it sees candidates", async () => {
    const { backend, graph, model, view } = await caseFor(name);
    const pairs = { sources: [0, 1, 2, 3], targets: [5, 9, 4, 15] };
    const flips = { sources: Int32Array.from(pairs.sources), targets: Int32Array.from(pairs.targets) };
    const seen = { 0: graph, 1: applyFlips(graph, flips) };
    for (const weight of [0, 1] as const) {
      const discrete = await predict(model, toDevice(backend, seen[weight])).read();
      expect(discrete.every(Number.isFinite)).toBe(true);
      if (!model.differentiable.edges) continue;
      const block = makeBlock(backend, graph, { ...pairs, weights: pairs.sources.map(() => weight) });
      await expectValues(predict(model, relax(view, block, 0)), [...discrete], 1e-5);
    }
  });
});

test("a gcn is differentiated on a view whose graph is on the device alone; what needs the host says so", async () => {
  const { backend, graph, model, view } = await caseFor("gcn");
  const onDevice = { ...view, host: null };
  const block = makeBlock(backend, graph, { sources: [0, 1], targets: [5, 9], weights: [0.5, 0.5] });
  const slopes = (from: typeof view) =>
    valueAndGrad(
      () => [sumSquares(model.forward(relax(from, block, 0), { constants: new Constants(), dropout: null }))],
      [block.weights],
    ).grads[0];
  await expectValues(slopes(onDevice as typeof view), [...(await slopes(view).read())], 1e-12);
  expect(() => predict(model, onDevice)).toThrow("gcn: needs the graph of 16 nodes in host memory");
});
