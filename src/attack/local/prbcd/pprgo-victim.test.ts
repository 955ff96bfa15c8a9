import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../../test/support/any-graph.ts";
import type { Backend } from "../../../backend/backend.ts";
import { createReference } from "../../../backend/reference/reference.ts";
import { createWasm } from "../../../backend/wasm/wasm.ts";
import { Rng } from "../../../core/rng.ts";
import { createSoftMedianPprgo, robustPprgoDefaults } from "../../../defense/robust-pprgo.ts";
import { applyFlips } from "../../../graph/flips.ts";
import type { Graph } from "../../../graph/graph.ts";
import { rowsOfGraph } from "../../../graph/graph-rows.ts";
import { Pprgo, pprgoDefaults } from "../../../nn/models/pprgo.ts";
import { pushRowsOf } from "../../../ppr/push-rows.ts";
import type { DenominatorGradient } from "../../../ppr/row-update.ts";
import { margin } from "../../losses.ts";
import type { DirectedRows } from "../attacked-graph.ts";
import { localPrbcdDefaults } from "../local-prbcd-options.ts";
import type { LocalTarget } from "../local-task.ts";
import { distanceToGoal } from "../node-outcome.ts";
import { CandidateSpace } from "./candidate-space.ts";
import { NodeSearch } from "./node-search.ts";
import { PprgoVictim } from "./pprgo-victim.ts";

const push = { alpha: 0.2, epsilon: 1e-4, k: 12 };
const sizes = { features: 3, classes: 3 };
const kinds = ["pprgo", "soft-median-pprgo"] as const;

function modelOf(kind: (typeof kinds)[number], backend: Backend): Pprgo {
  const rng = new Rng(1);
  if (kind === "pprgo") return new Pprgo(backend, sizes, { ...pprgoDefaults, ...push, hidden: [5] }, rng);
  return createSoftMedianPprgo(backend, sizes, { ...robustPprgoDefaults, ...push, hidden: [5], temperature: 0.7 }, rng);
}

function victimOf(model: Pprgo, graph: DirectedRows, denominator: DenominatorGradient = "exact"): PprgoVictim {
  const rows = (nodes: Int32Array) => pushRowsOf(graph, graph.numNodes, nodes, model.pageRank);
  return new PprgoVictim(model, graph, { push: rows, blockSize: 100, denominator });
}

function rowsOf(graph: Graph): DirectedRows {
  return { ...rowsOfGraph(graph), directed: graph.directed };
}

function targetAt(node: number, budget = 1): LocalTarget {
  return { node, label: 0, degree: 0, budget, towards: null, influence: "direct", rng: new Rng(3) };
}

const goal = { loss: margin, floor: 1e-7 };

describe.each(kinds)("%s, relaxed", (kind) => {
  test("has the gradient that finite differences predict", async () => {
    const model = modelOf(kind, createReference());
    const victim = victimOf(model, rowsOf(randomGraph(20, 0.2, 2)));
    const target = targetAt(4);
    const node = victim.relaxed(target, goal);
    const block = new CandidateSpace(victim.graph, target).all();
    await node.lay(block);
    const rng = new Rng(1);
    const weights = block.signs.map(() => 0.2 + 0.5 * rng.uniform());
    const { gradient } = await node.step(weights);
    const step = 1e-5;
    for (const e of [0, 3, 7, 11, 18]) {
      const lossAt = async (by: number) => (await node.step(weights.with(e, weights[e] + by))).loss;
      const numeric = ((await lossAt(step)) - (await lossAt(-step))) / (2 * step);
      expect(gradient[e]).toBeCloseTo(numeric, 5);
    }
  });

  test("evaluates flips as the model does on the rebuilt graph", async () => {
    const backend = createReference();
    const model = modelOf(kind, backend);
    for (const directed of [false, true]) {
      const graph = randomGraph(20, 0.2, 5, { directed });
      const node = victimOf(model, rowsOf(graph)).relaxed(targetAt(6), goal);
      const { sources, targets } = new CandidateSpace(rowsOf(graph), targetAt(6)).all();
      for (const places of [[0], [3, 8], [2, 5, 9, 17]]) {
        const flips = {
          sources: Int32Array.from(places, (e) => sources[e]),
          targets: Int32Array.from(places, (e) => targets[e]),
        };
        const expected = await model.logitsOf(rowsOfGraph(applyFlips(graph, flips)), [6]).read();
        const actual = await node.logitsAfter(flips);
        for (const [c, logit] of expected.entries()) expect(actual[c]).toBeCloseTo(logit, 10);
      }
    }
  });

  test("estimates single flips so well that the best is among the first few", async () => {
    const model = modelOf(kind, createReference());
    let found = 0;
    for (let seed = 0; seed < 10; seed++) {
      const graph = randomGraph(30, 0.12, seed);
      const target = targetAt(seed);
      const node = victimOf(model, rowsOf(graph)).relaxed(target, goal);
      const block = new CandidateSpace(rowsOf(graph), target).all();
      await node.lay(block);
      const estimates = await node.estimate([]);
      const exact: number[] = [];
      for (const e of block.signs.keys()) {
        const flips = { sources: block.sources.slice(e, e + 1), targets: block.targets.slice(e, e + 1) };
        exact.push(distanceToGoal(await node.logitsAfter(flips), 0, null));
      }
      const best = exact.indexOf(Math.min(...exact));
      if (estimates.filter((estimate) => estimate < estimates[best]).length < 5) found++;
    }
    expect(found).toBeGreaterThanOrEqual(8);
  });

  test("cannot be attacked at its neighbours, and says so", () => {
    const victim = victimOf(modelOf(kind, createReference()), rowsOf(randomGraph(5, 0.5, 1)));
    expect(() => victim.relaxed({ ...targetAt(1), influence: "both" }, goal)).toThrow(
      `local-prbcd: ${kind} can only be attacked at the node itself; leave out both`,
    );
  });
});

describe("local PR-BCD on a graph of a hundred million nodes", () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasm({ threads: 1 });
  });
  afterAll(() => backend.close());

  test("reads only rows near the node and near the candidates", async () => {
    const n = 111_059_956;
    const asked = new Set<number>();
    const ring = (v: number) => [(v + n - 2) % n, (v + n - 1) % n, (v + 1) % n, (v + 2) % n].sort((a, b) => a - b);
    const features = (nodes: Int32Array) => ({
      numRows: nodes.length,
      numCols: 3,
      data: Float32Array.from({ length: 3 * nodes.length }, (_, k) =>
        Math.sin(nodes[Math.floor(k / 3)] * (1 + (k % 3))),
      ),
    });
    const neighbours = (v: number) => {
      asked.add(v);
      return ring(v);
    };
    const graph: DirectedRows = { numNodes: n, directed: false, degree: () => 4, neighbours, features };
    const model = modelOf("pprgo", backend);
    const victim = victimOf(model, graph);
    const config = { ...localPrbcdDefaults, blockSize: 100, epochs: 10, fineTuneEpochs: 4 };
    const target = targetAt(1_000_000, 2);
    const before = distanceToGoal(
      await victim.trials.logits(target.node, { sources: new Int32Array(0), targets: new Int32Array(0) }),
      0,
      null,
    );
    const flips = await new NodeSearch(graph, victim, config).search(target);
    const after = distanceToGoal(await victim.trials.logits(target.node, flips), 0, null);
    expect(flips.sources.length).toBe(2);
    expect(after).toBeLessThan(before);
    expect(asked.size).toBeLessThan(100 * 10 * 40); // a few steps around each candidate that was ever looked at
    victim.dispose();
  });
});
