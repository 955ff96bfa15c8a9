import { describe, expect, test } from "vitest";
import { createReference } from "../src/backend/reference/reference.ts";
import { defaultsOf } from "../src/core/options/index.ts";
import { Rng } from "../src/core/rng.ts";
import { modelKinds } from "../src/defense/model-kinds.ts";
import type { Model } from "../src/nn/model.ts";
import { train, trainDefaults } from "../src/nn/training/train.ts";
import {
  type Block,
  Constants,
  type GraphView,
  relax,
  scope,
  sumSquares,
  toDevice,
  valueAndGrad,
  withoutFusion,
} from "../src/tensor/index.ts";
import { randomGraph } from "./support/any-graph.ts";
import { makeBlock, randomBlock } from "./support/block.ts";
import { expectValues, valuesOf } from "./support/dense.ts";

/** Every model that mixes neighbours or features in a way of its own, and stacks in which rules meet. */
const MODELS: Record<string, [name: string, options: object]> = {
  ...Object.fromEntries(Object.keys(modelKinds).map((name) => [name, [name, {}]])),
  "gcn with batch norm": ["gcn", { hidden: [6, 4], batchNorm: true }],
  "gcn with batch norm and rows normalised": ["gcn", { hidden: [6, 9], batchNorm: true, normalisation: "row" }],
  "gcn with layers that widen": ["gcn", { hidden: [7, 9, 8] }],
  "gcn of one layer": ["gcn", { hidden: [] }],
  "linear gcn with batch norm": ["linear-gcn", { hidden: [6], batchNorm: true }],
  "gdc with batch norm": ["gdc", { hidden: [6, 4], batchNorm: true, k: 16 }],
  "pprgo with batch norm": ["pprgo", { hidden: [6, 4], batchNorm: true }],
};

const BACKENDS = { fused: createReference(), composed: createReference({ fused: false }) };

interface Case {
  readonly model: Model;
  readonly view: GraphView;
  readonly block: Block;
}

async function caseFor([name, options]: [string, object], backend: (typeof BACKENDS)["fused"]): Promise<Case> {
  const graph = randomGraph(16, 0.25, 27, { numFeatures: 5 });
  const view = toDevice(backend, graph);
  const kind = modelKinds[name];
  const sizes = { features: 5, classes: 3 };
  const model = kind.create(backend, sizes, { ...defaultsOf(kind.options), ...options }, new Rng(3));
  const task = { train: [0, 1, 2, 3, 4, 5], val: [6, 7, 8], rng: new Rng(4) };
  if (name === "gcn" || name === "gdc") await train(model, view, task, { ...trainDefaults, maxEpochs: 5 }); // statistics of batch norm
  return { model, view, block: makeBlock(backend, graph, randomBlock(graph, 5)) };
}

describe.each(Object.entries(MODELS).filter(([, [name]]) => name !== "rgcn"))("%s", (_, what) => {
  test.each(Object.entries(BACKENDS))(
    "has the same logits with and without fusion, in every step, kernels %s",
    async (_, backend) => {
      const { model, view, block } = await caseFor(what, backend);
      const seen = () => (model.differentiable.edges ? relax(view, block, 0) : view);
      const logits = (constants: Constants) => scope(() => model.forward(seen(), { constants, dropout: null }));
      const plain = await valuesOf(withoutFusion(() => logits(new Constants())));
      for (const constants of [new Constants(), new Constants({ graph: view, changing: model.parameters.values() })]) {
        for (let step = 0; step < 3; step++)
          await expectValues(
            constants.during(() => logits(constants)),
            plain,
            1e-9,
          );
        constants.dispose();
      }
    },
  );

  test.each(Object.entries(BACKENDS))(
    "has the same gradients by edges and by weights, kernels %s",
    async (_, backend) => {
      const { model, view, block } = await caseFor(what, backend);
      const wrt = [...(model.differentiable.edges ? [block.weights] : []), ...model.parameters.values()];
      const step = (constants: Constants) =>
        valueAndGrad(() => {
          const seen = model.differentiable.edges ? relax(view, block, 0) : view;
          return [sumSquares(model.forward(seen, { constants, dropout: null }))];
        }, wrt).grads;
      const plain = await Promise.all(withoutFusion(() => step(new Constants())).map(valuesOf));
      const constants = new Constants({ changing: model.parameters.values() });
      for (let t = 0; t < 2; t++) {
        const fused = constants.during(() => step(constants));
        for (const [k, gradient] of fused.entries()) await expectValues(gradient, plain[k], 1e-8);
      }
      expect(plain.flat().some((x) => Math.abs(x) > 1e-3)).toBe(true); // something is compared
    },
  );
});

// RGCN draws noise in every pass, so that no two of its passes agree.
