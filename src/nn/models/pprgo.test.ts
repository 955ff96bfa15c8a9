import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { denseOf, expectValues, product, rowsOf, valuesOf } from "../../../test/support/dense.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import type { Graph } from "../../graph/graph.ts";
import { type GraphRows, rowsOfGraph } from "../../graph/graph-rows.ts";
import { pushRows } from "../../ppr/push-rows.ts";
import { Constants, scope, toDevice, withGraph } from "../../tensor/index.ts";
import { predict } from "../training/evaluate.ts";
import { rowBatch } from "../training/row-batch.ts";
import { pprgoTrainDefaults } from "../training/train-on-rows.ts";
import { trainPprgo } from "../training/train-pprgo.ts";
import { Pprgo, type PprgoConfig, pprgoDefaults } from "./pprgo.ts";

const backend = createReference();
const nodes = [3, 17, 3, 8];

function make(graph: Graph, changes: Partial<PprgoConfig> = {}): Pprgo {
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  return new Pprgo(backend, sizes, { ...pprgoDefaults, hidden: [5], k: 6, ...changes }, new Rng(1));
}

/** The same graph, and which of its nodes were asked for. */
function watched(graph: GraphRows) {
  const seen = { rows: new Set<number>(), features: new Set<number>() };
  const rows: GraphRows = {
    ...graph,
    neighbours(v) {
      seen.rows.add(v);
      return graph.neighbours(v);
    },
    features(nodes) {
      for (const v of nodes) seen.features.add(v);
      return graph.features(nodes);
    },
  };
  return { seen, rows };
}

const evaluation = { constants: new Constants(), dropout: null };

describe("pprgo", () => {
  test("sums the encoded neighbours with the pushed values as they are", async () => {
    const graph = randomGraph(20, 0.2, 2);
    const model = make(graph);
    const view = toDevice(backend, graph);
    const [W1, W2] = await Promise.all([...model.parameters.values()].map(rowsOf));
    const X = Array.from({ length: 20 }, (_, i) => [
      ...(graph.features as { data: Float32Array }).data.slice(3 * i, 3 * i + 3),
    ]);
    const hidden = product(X, W1!).map((row) => row.map((x) => Math.max(0, x)));
    const rows = denseOf(model.rowsFor(graph, [...Array(20).keys()]));
    await expectValues(predict(model, view), product(rows, product(hidden, W2!)).flat());
  });

  test("shares its rows with models that push the same graph alike", () => {
    const graph = randomGraph(20, 0.2, 2);
    const pushed: number[] = [];
    const counted: Backend = {
      ...backend,
      pushRows(A, nodes, options) {
        pushed.push(options.k);
        return pushRows(A, nodes, options);
      },
    };
    const view = toDevice(counted, graph);
    for (const changes of [{}, { hidden: [3] }, { k: 4 }]) predict(make(graph, changes), view).dispose();
    expect(pushed).toEqual([6, 4]);
    predict(make(graph), withGraph(view, randomGraph(20, 0.1, 3))).dispose();
    expect(pushed).toEqual([6, 4, 6]);
  });

  for (const sparse of [false, true]) {
    test(`gives a batch the logits of the whole graph, with ${sparse ? "sparse" : "dense"} features`, async () => {
      const graph = randomGraph(20, 0.2, 2, { sparse });
      for (const changes of [{}, { hidden: [] }, { hidden: [5, 4], batchNorm: true }]) {
        const model = make(graph, changes);
        const all = await rowsOf(predict(model, toDevice(backend, graph)));
        for (const per of ["node", "pair"] as const) {
          const batch = rowBatch(backend, rowsOfGraph(graph).features, model.rowsFor(graph, nodes), per);
          await expectValues(
            model.forwardRows(batch, evaluation),
            nodes.flatMap((v) => all[v]),
          );
        }
      }
    });
  }

  test("gives some nodes the logits of the whole graph, and reads no row that push does not", async () => {
    const graph = randomGraph(150, 0.02, 5);
    const model = make(graph, { epsilon: 1e-2 });
    const all = await rowsOf(predict(model, toDevice(backend, graph)));
    const some = Array.from({ length: 130 }, (_, t) => [3, 40, 77][t % 3]); // more than a batch
    const { seen, rows } = watched(rowsOfGraph(graph));
    await expectValues(
      model.logitsOf(rows, some),
      some.flatMap((v) => all[v]),
    );
    const pushed = pushRows(graph.adjacency, [3, 40, 77], { ...pprgoDefaults, epsilon: 1e-2, k: 150 });
    expect([...seen.rows].sort()).toEqual([...new Set(pushed.colIdx)].sort());
    const kept = new Set(model.rowsFor(graph, [3, 40, 77]).colIdx);
    expect([...seen.features].sort()).toEqual([...kept].sort());
    expect(seen.rows.size).toBeLessThan(75);
  });

  test("draws other dropout masks for the same neighbour in other rows", async () => {
    const graph = randomGraph(20, 0.2, 2);
    const model = make(graph, { dropout: 0.5 });
    const batch = (per: "node" | "pair") =>
      rowBatch(backend, rowsOfGraph(graph).features, model.rowsFor(graph, nodes), per);
    const logits = (per: "node" | "pair") =>
      rowsOf(model.forwardRows(batch(per), { constants: new Constants(), dropout: new Rng(4) }));
    const perPair = await logits("pair");
    const perNode = await logits("node");
    expect(perNode[0]).toEqual(perNode[2]); // both rows are node 3
    expect(perPair[0]).not.toEqual(perPair[2]);
  });

  test("refuses an overlay", () => {
    const graph = randomGraph(20, 0.2, 2);
    const view = { ...toDevice(backend, graph), overlay: {} as never };
    expect(() => make(graph).forward(view, evaluation)).toThrow("pprgo cannot be differentiated by edges");
  });
});

describe("trainPprgo", () => {
  const graph = randomGraph(60, 0.1, 5, { numFeatures: 6 });
  const task = () => ({ train: [...Array(25).keys()], val: [...Array(20).keys()].map((v) => v + 25), rng: new Rng(6) });
  const config = { ...pprgoTrainDefaults, learningRate: 0.05, maxEpochs: 30 };

  for (const [title, batchSize] of [
    ["one batch of all nodes", 512],
    ["batches of which the last is smaller", 8],
  ] as const) {
    test(`learns the training nodes with ${title}`, async () => {
      const model = make(graph, { hidden: [16], alpha: 0.8 });
      const view = toDevice(backend, graph);
      const { trainLoss, valLoss, bestEpoch } = await trainPprgo(model, view, task(), { ...config, batchSize });
      expect(trainLoss).toHaveLength(30);
      expect(trainLoss.at(-1)!).toBeLessThan(0.7 * trainLoss[0]);
      expect(Math.min(...valLoss)).toBe(valLoss[bestEpoch]);
    });
  }

  test("validates without dropout after the step, and stops after its patience", async () => {
    const model = make(graph, { dropout: 0.9 });
    const view = toDevice(backend, graph);
    const history = await trainPprgo(model, view, task(), { ...config, learningRate: 1e-12, patience: 3 });
    expect(new Set(history.trainLoss.map((x) => x.toFixed(9))).size).toBeGreaterThan(1);
    expect(new Set(history.valLoss.map((x) => x.toFixed(9))).size).toBe(1);
    expect(history.valLoss.length).toBeLessThan(30);
  });

  test("does the same again with the same seed and leaves no memory behind", async () => {
    const run = async () => {
      const model = make(graph);
      const view = toDevice(backend, graph);
      const before = backend.memory.current;
      await trainPprgo(model, view, task(), { ...config, batchSize: 10, valBatches: 1, maxEpochs: 3 });
      expect(backend.memory.current).toBe(before);
      return valuesOf(scope(() => predict(model, view)));
    };
    expect(await run()).toEqual(await run());
  });
});
