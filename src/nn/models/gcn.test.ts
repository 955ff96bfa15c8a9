import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../../test/support/block.ts";
import { denseOf, expectValues, rowsOf } from "../../../test/support/dense.ts";
import { denseFeatures, denseGcnLogits, hostGcn } from "../../../test/support/dense-gcn.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { applyFlips } from "../../graph/flips.ts";
import { Graph } from "../../graph/graph.ts";
import {
  Constants,
  type GraphView,
  gatherRows,
  IntTensor,
  relax,
  scope,
  type Tensor,
  toDevice,
} from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { predict } from "../training/evaluate.ts";
import { denseGcnDefaults, Gcn, type GcnConfig, gcnDefaults, linearGcnDefaults } from "./gcn.ts";

const backend = createReference();

/** A GCN with random weights, and random biases too, so that they show. */
async function randomGcn(graph: Graph, config: Partial<GcnConfig>, seed: number): Promise<Gcn> {
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, ...config }, new Rng(seed));
  for (const [name, parameter] of model.parameters) {
    if (name.endsWith("bias")) parameter.assign(await randomTensor(backend, parameter.shape, seed).read());
  }
  return model;
}

/** Node 0 aggregates from node 1, and not the other way round; node 2 is alone. */
const arrow = new Graph({
  adjacency: csrFromEntries(3, 3, [0], [1]),
  features: { numRows: 3, numCols: 1, data: Float32Array.of(1, 10, 100) },
  labels: Int32Array.of(0, 0, 0),
  numClasses: 1,
  directed: true,
});

function singleLayer(graph: Graph, config: Partial<GcnConfig>, weight: number[], bias: number[]): Gcn {
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [], ...config }, new Rng(0));
  model.parameters.get("convs.0.weight")!.assign(Float64Array.from(weight));
  model.parameters.get("convs.0.bias")!.assign(Float64Array.from(bias));
  return model;
}

/** Logits in a step of a run. */
function inRun(constants: Constants, model: Model, view: GraphView): Tensor {
  return constants.during(() => scope(() => model.forward(view, { constants, dropout: null })));
}

describe("a GCN of one layer", () => {
  test("averages two nodes that are joined, whose degrees with self loops are 2", async () => {
    const graph = new Graph({
      adjacency: csrFromEntries(2, 2, [0, 1], [1, 0]),
      features: { numRows: 2, numCols: 1, data: Float32Array.of(1, 3) },
      labels: Int32Array.of(0, 1),
      directed: false,
    });
    const model = singleLayer(graph, {}, [2, -1], [0.5, 0]);
    expect(await rowsOf(predict(model, toDevice(backend, graph)))).toEqual([
      [4.5, -2],
      [4.5, -2],
    ]);
  });
  test("divides by roots of column degrees where edges have a direction", async () => {
    const logits = predict(singleLayer(arrow, {}, [1], [0]), toDevice(backend, arrow));
    await expectValues(logits, [1 + 10 / Math.sqrt(2), 10 / 2, 100], 1e-7); // Â is stored as float32
  });
  test("divides by row sums if it is told to", async () => {
    const logits = predict(singleLayer(arrow, { normalisation: "row" }, [1], [0]), toDevice(backend, arrow));
    await expectValues(logits, [11 / 2, 10, 100]);
  });
});

/** Both orders (a wide layer aggregates first, a narrow one multiplies first), depths, and the surrogates. */
const variants: Record<string, Partial<GcnConfig>> = {
  "one layer": { hidden: [] },
  "a wide hidden layer": { hidden: [5] },
  "a narrow hidden layer": { hidden: [2] },
  "three layers, rows normalised": { hidden: [4, 2], normalisation: "row" },
  "the linear surrogate": { ...linearGcnDefaults, hidden: [5] },
  "the dense surrogate": { ...denseGcnDefaults, hidden: [5] },
};

describe.each(Object.entries(variants))("a GCN with %s", (_, config) => {
  test("has the logits of plain dense loops, whatever may be cached, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1000), async (graph, seed) => {
        const model = await randomGcn(graph, config, seed);
        const view = toDevice(backend, graph);
        const expected = denseGcnLogits(await hostGcn(model), denseOf(graph.adjacency), denseFeatures(graph)).flat();
        const changing = model.parameters.values();
        for (const constants of [new Constants(), new Constants({ graph: view, changing })]) {
          await expectValues(inRun(constants, model, view), expected, 1e-6);
          await expectValues(inRun(constants, model, view), expected, 1e-6); // from what was kept
          constants.dispose();
        }
      }),
      { numRuns: 25 },
    );
  });

  test("sees candidates of weight 0 not at all and those of weight 1 as flips, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1000), async (graph, seed) => {
        const model = await randomGcn(graph, config, seed);
        const view = toDevice(backend, graph);
        const { sources, targets } = randomBlock(graph, seed);
        const flips = { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
        for (const [weight, seen] of [
          [0, graph],
          [1, applyFlips(graph, flips)],
        ] as const) {
          const block = makeBlock(backend, graph, { sources, targets, weights: sources.map(() => weight) });
          const relaxed = predict(model, relax(view, block, 0));
          const discrete = predict(model, toDevice(backend, seen));
          await expectValues(relaxed, [...(await discrete.read())], 1e-6);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("a GCN that is asked for some nodes", () => {
  test.each([[[]], [[4]], [[2]]])("gives their logits, hidden layers: %o", async (hidden) => {
    const graph = randomGraph(9, 0.4, 31, { numFeatures: 3, numClasses: 5 });
    const model = await randomGcn(graph, { hidden }, 32);
    const view = toDevice(backend, graph);
    const nodes = IntTensor.from(backend, [7, 0, 4]);
    const pass = { constants: new Constants(), dropout: null };
    for (const seen of [view, relax(view, makeBlock(backend, graph, randomBlock(graph, 33)), 0)]) {
      const all = await rowsOf(model.forward(seen, pass));
      const some = scope(() => gatherRows(model.forward(seen, pass), nodes));
      await expectValues(
        some,
        [all[7], all[0], all[4]].flatMap((row) => [...row]),
        1e-6,
      );
    }
  });
});

describe("the parts of a GCN", () => {
  const graph = randomGraph(6, 0.5, 1);
  const build = (config: Partial<GcnConfig>) =>
    new Gcn(backend, { features: 3, classes: 3 }, { ...gcnDefaults, ...config }, new Rng(0));

  test("are named as in a saved file", () => {
    expect([...build({ hidden: [4], batchNorm: true }).parameters.keys()]).toEqual([
      "convs.0.weight",
      "convs.0.bias",
      "convs.1.weight",
      "convs.1.bias",
      "norms.0.weight",
      "norms.0.bias",
    ]);
    expect([...build({ bias: false }).parameters.keys()]).toEqual(["convs.0.weight", "convs.1.weight"]);
  });
  test("start as the same seed says, within the bounds of Glorot and Bengio", async () => {
    const bound = Math.sqrt(6 / (3 + 64));
    const weights = await build({}).parameters.get("convs.0.weight")!.read();
    expect(Math.max(...weights.map(Math.abs))).toBeLessThanOrEqual(bound);
    expect(Math.max(...weights)).toBeGreaterThan(0.8 * bound);
    expect(await build({}).parameters.get("convs.0.weight")!.read()).toEqual(weights);
  });
  test("drop half of the hidden values in training and none in evaluation", async () => {
    const model = build({ hidden: [8] });
    const view = toDevice(backend, graph);
    const training = (seed: number) =>
      model.forward(view, { constants: new Constants(), dropout: new Rng(seed) }).read();
    expect(await training(1)).toEqual(await training(1));
    expect(await training(1)).not.toEqual(await training(2));
    expect(await predict(model, view).read()).toEqual(await predict(model, view).read());
  });
  test("give all their memory back", () => {
    const fresh = createReference();
    const model = new Gcn(fresh, { features: 3, classes: 3 }, { ...gcnDefaults, batchNorm: true }, new Rng(0));
    expect(fresh.memory.current).toBeGreaterThan(0);
    model.dispose();
    expect(fresh.memory.current).toBe(0);
  });
  test("refuse names and numbers that mean nothing", () => {
    expect(() => build({ normalisation: "rows" as "row" })).toThrow(
      'gcn: normalisation must be symmetric or row, got "rows"',
    );
    expect(() => build({ activation: "tanh" as "relu" })).toThrow(
      'gcn: activation must be relu or identity, got "tanh"',
    );
    expect(() => build({ hidden: [0] })).toThrow("gcn: hidden must be whole numbers from 1, such as 64,32, got 0");
    expect(() => build({ dropout: 1 })).toThrow("gcn: dropout must be a number in [0, 1), got 1");
  });
});
