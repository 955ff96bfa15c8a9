import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { makeBlock } from "../../../test/support/block.ts";
import { denseOf, expectValues, product, rowsOf, valuesOf } from "../../../test/support/dense.ts";
import { denseDiffusion } from "../../../test/support/dense-diffusion.ts";
import { denseFeatures, denseNormalised } from "../../../test/support/dense-gcn.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { Graph } from "../../graph/graph.ts";
import { pushDiffusion } from "../../ppr/push-diffusion.ts";
import { Constants, type GraphView, relax, scope, type Tensor, toDevice } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { predict } from "../training/evaluate.ts";
import { Gat } from "./gat.ts";
import { createGdcGat, gdcGatDefaults } from "./gdc-gat.ts";
import { Mlp } from "./mlp.ts";
import { Sgc } from "./sgc.ts";

const backend = createReference();
const sizesOf = (graph: Graph) => ({ features: graph.numFeatures, classes: graph.numClasses });
const rows = async (model: Model, name: string) => rowsOf(model.parameters.get(name)!);
const vector = async (model: Model, name: string) => valuesOf(model.parameters.get(name)!);
const plus = (X: number[][], bias: readonly number[]) => X.map((row) => row.map((x, c) => x + bias[c]));

/** Logits in a step of a run. */
function inRun(constants: Constants, model: Model, view: GraphView): Tensor {
  return constants.during(() => scope(() => model.forward(view, { constants, dropout: null })));
}

describe("SGC", () => {
  test("multiplies by Â twice and by its weights, whatever is cached, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1000), async (graph, seed) => {
        const model = new Sgc(backend, sizesOf(graph), { steps: 2 }, new Rng(seed));
        const P = denseNormalised(denseOf(graph.adjacency), false);
        const scores = product(denseFeatures(graph), await rows(model, "weight"));
        const expected = plus(product(P, product(P, scores)), await vector(model, "bias")).flat();
        const view = toDevice(backend, graph);
        for (const constants of [
          new Constants(),
          new Constants({ graph: view, changing: model.parameters.values() }),
        ]) {
          await expectValues(inRun(constants, model, view), expected, 1e-6);
          await expectValues(inRun(constants, model, view), expected, 1e-6); // from what was kept
          constants.dispose();
        }
      }),
      { numRuns: 25 },
    );
  });
  test("refuses a number of steps that is none", () => {
    const build = () => new Sgc(backend, { features: 2, classes: 2 }, { steps: 1.5 }, new Rng(0));
    expect(build).toThrow("sgc: steps must be a whole number from 0, got 1.5");
  });
});

describe("MLP", () => {
  test("is layers with ReLU between them, and sees no edges", async () => {
    const some = randomGraph(7, 0.6, 1);
    const model = new Mlp(backend, sizesOf(some), { hidden: [4], dropout: 0.5 }, new Rng(0));
    const hidden = plus(
      product(denseFeatures(some), await rows(model, "layers.0.weight")),
      await vector(model, "layers.0.bias"),
    );
    const active = hidden.map((row) => row.map((x) => Math.max(0, x)));
    const expected = plus(product(active, await rows(model, "layers.1.weight")), await vector(model, "layers.1.bias"));
    await expectValues(predict(model, toDevice(backend, some)), expected.flat());
    const edgeless = some.withAdjacency(randomGraph(7, 0, 2).adjacency);
    await expectValues(predict(model, toDevice(backend, edgeless)), expected.flat());
  });
});

/** One layer of attention, written out: softmax over the entries of `A` and the node itself. */
async function denseGat(
  model: Gat,
  graph: Graph,
  A = denseOf(graph.adjacency),
): Promise<{ out: number[][]; attention: number[][] }> {
  const h = product(denseFeatures(graph), await rows(model, "convs.0.weight"));
  const source = await vector(model, "convs.0.att_src");
  const target = await vector(model, "convs.0.att_dst");
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, c) => sum + value * y[c], 0);
  const attention = A.map((row, i) => {
    const scores = row.map((a, j) => {
      const e = dot(source, h[j]) + dot(target, h[i]);
      return a > 0 || i === j ? Math.exp(e > 0 ? e : 0.2 * e) : 0;
    });
    const total = scores.reduce((sum, x) => sum + x, 0);
    return scores.map((x) => x / total);
  });
  return { attention, out: plus(product(attention, h), await vector(model, "convs.0.bias")) };
}

describe("GAT", () => {
  const build = (graph: Graph, seed: number) =>
    new Gat(backend, sizesOf(graph), { hidden: [], dropout: 0 }, new Rng(seed));

  test("weighs neighbours by a softmax of their scores, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.nat(1000), async (graph, seed) => {
        const model = build(graph, seed);
        const { out } = await denseGat(model, graph);
        await expectValues(predict(model, toDevice(backend, graph)), out.flat(), 1e-6);
      }),
      { numRuns: 25 },
    );
  });
  test("has attention that sums to 1: equal nodes stay as they are", async () => {
    const drawn = randomGraph(8, 0.4, 3);
    const { numRows, numCols } = drawn.features;
    const data = Float32Array.from({ length: numRows * numCols }, (_, e) => (e % numCols) - 1);
    const graph = new Graph({ ...drawn, features: { numRows, numCols, data } });
    const model = build(graph, 1);
    const h = product([[-1, 0, 1]], await rows(model, "convs.0.weight"))[0];
    for (const row of await rowsOf(predict(model, toDevice(backend, graph)))) {
      for (const [c, x] of row.entries()) expect(x).toBeCloseTo(h[c], 10);
    }
  });
  test("refuses an overlay and says what to do instead", () => {
    const graph = randomGraph(5, 0.5, 1);
    const block = makeBlock(backend, graph, { sources: [0], targets: [1], weights: [0.5] });
    expect(() => predict(build(graph, 0), relax(toDevice(backend, graph), block, 0))).toThrow(
      "gat cannot be differentiated by edges; attack a surrogate such as gcn and transfer",
    );
  });
});

describe("GAT over PageRank neighbours", () => {
  const alpha = 0.25;
  const k = 5;
  const build = (graph: Graph, seed: number) =>
    createGdcGat(backend, sizesOf(graph), { ...gdcGatDefaults, hidden: [], dropout: 0, alpha, k }, new Rng(seed));

  test("weighs the nodes that PageRank ranks first by a softmax, whatever it gives to them", async () => {
    for (const seed of [1, 2, 3]) {
      const graph = randomGraph(24, 0.4, seed); // connected
      const model = build(graph, seed);
      const { attention, out } = await denseGat(model, graph, denseDiffusion(denseOf(graph.adjacency), alpha, k));
      for (const row of attention) expect(row.filter((x) => x > 0)).toHaveLength(k);
      await expectValues(predict(model, toDevice(backend, graph)), out.flat(), 1e-6);
    }
  });
  test("takes its rows from push too, and refuses an overlay", async () => {
    const graph = randomGraph(24, 0.4, 7);
    const config = { ...gdcGatDefaults, hidden: [], dropout: 0, alpha, k, method: "push" as const };
    const model = createGdcGat(backend, sizesOf(graph), config, new Rng(8));
    const rowsByPush = denseOf(pushDiffusion(graph.adjacency, config));
    await expectValues(
      predict(model, toDevice(backend, graph)),
      (await denseGat(model, graph, rowsByPush)).out.flat(),
      1e-6,
    );
    const block = makeBlock(backend, graph, { sources: [0], targets: [1], weights: [0.5] });
    expect(() => predict(model, relax(toDevice(backend, graph), block, 0))).toThrow("gdc-gat cannot be differentiated");
  });
});
