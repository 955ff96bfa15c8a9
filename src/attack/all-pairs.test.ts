import { describe, expect, test } from "vitest";
import { allPairs as allPairsOf } from "../../test/support/any-constraints.ts";
import { randomGraph } from "../../test/support/any-graph.ts";
import { attackCase } from "../../test/support/attack-case.ts";
import { product, transposed } from "../../test/support/dense.ts";
import { denseFeatures, denseGcnLogits, denseNormalised, type HostGcn, hostGcn } from "../../test/support/dense-gcn.ts";
import { relaxedCase } from "../../test/support/relaxed-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import type { Graph } from "../graph/graph.ts";
import type { Model } from "../nn/model.ts";
import { nodeSet } from "../nn/training/node-set.ts";
import { EdgeFactors } from "../tensor/edge-factors.ts";
import {
  type Block,
  Constants,
  filled,
  type GraphView,
  gatherRows,
  relax,
  toDevice,
  valueAndGrad,
} from "../tensor/index.ts";
import { layOverAll } from "../tensor/overlay.ts";
import { fgsm } from "./fgsm.ts";
import { flipSchedule, grbcd, resumeGrbcd } from "./grbcd.ts";
import { tanhMargin } from "./losses.ts";
import { PairTiles, pairsNumbered } from "./pair-tiles.ts";
import { pgd } from "./pgd.ts";

/** The tanh margin of a GCN on a dense, weighted adjacency: plain loops, nothing of the library. */
function denseLoss(model: HostGcn, A: number[][], graph: Graph, nodes: readonly number[]): number {
  const logits = denseGcnLogits(model, A, denseFeatures(graph));
  return nodes.reduce((sum, node) => sum + Math.tanh(-margin(logits[node], graph.labels[node]).mu), 0) / nodes.length;
}

function margin(z: readonly number[], label: number): { mu: number; rival: number } {
  const others = z.map((x, c) => (c === label ? Number.NEGATIVE_INFINITY : x));
  const rival = others.indexOf(Math.max(...others));
  return { mu: z[label] - z[rival], rival };
}

/** Every pair with the derivative of the dense loss by its weight in A ⊕ p, by central differences. */
function densePairs(model: HostGcn, dense: readonly number[][], graph: Graph, nodes: readonly number[]) {
  const step = 1e-5;
  const pairs: { i: number; j: number; slope: number }[] = [];
  for (let i = 0; i < graph.numNodes; i++) {
    for (let j = graph.directed ? 0 : i + 1; j < graph.numNodes; j++) {
      if (i === j) continue;
      const moved = (by: number) => {
        const A = dense.map((row) => [...row]);
        A[i][j] += by;
        if (!graph.directed) A[j][i] += by;
        return denseLoss(model, A, graph, nodes);
      };
      pairs.push({ i, j, slope: (moved(step) - moved(-step)) / (2 * step) });
    }
  }
  return pairs;
}

/** Some pairs with weights: a removal of an edge and some insertions, as PGD has them in the middle of its search. */
function someBlock(graph: Graph) {
  const edge = graph.adjacency.rowPtr.findIndex((end, i) => i > 0 && end > 0) - 1; // the first node with a neighbour
  const j = graph.adjacency.colIdx[0];
  const [sources, targets] = graph.directed || edge < j ? [[edge], [j]] : [[j], [edge]];
  return { sources, targets, weights: [0.375] };
}

async function allPairs(model: Model, view: GraphView, flips: Block, nodes: number[], tileSize: number) {
  const { backend } = view;
  const set = nodeSet(view, nodes);
  const factors = new EdgeFactors();
  const anchor = filled(backend, [1], 0);
  valueAndGrad(() => {
    const over = layOverAll(view, flips, anchor, factors);
    const logits = model.forward(over, { constants: new Constants(), dropout: null });
    return [tanhMargin(gatherRows(logits, set.nodes), set.labels)];
  }, [anchor]);
  const found: { i: number; j: number; slope: number }[] = [];
  for (const { pairs } of new PairTiles("test", view, tileSize)) {
    const out = backend.alloc("f32", pairs.length);
    factors.evaluate(out, pairs);
    const [slopes, sources, targets] = [out, pairs.sources, pairs.targets].map((buffer) => backend.read(buffer));
    for (const [k, slope] of (await slopes!).entries())
      found.push({ i: (await sources!)[k], j: (await targets!)[k], slope });
  }
  return found;
}

describe("the gradient by all pairs, a tile at a time,", () => {
  test.each([
    [false, "symmetric"],
    [true, "symmetric"],
    [true, "row"],
  ] as const)("is that of the dense loss (directed %s, %s normalisation)", async (directed, normalisation) => {
    const backend = createReference();
    const { graph, model, view, nodes } = await attackCase(backend, 27, {
      numNodes: 16,
      directed,
      config: { normalisation },
    });
    const { block, dense } = relaxedCase(backend, graph, someBlock(graph));
    const expected = densePairs(await hostGcn(model), dense, graph, nodes);
    const found = await allPairs(model, view, block, nodes, 64);
    expect(found.map(({ i, j }) => [i, j])).toEqual(expected.map(({ i, j }) => [i, j]));
    for (const [k, { slope }] of expected.entries()) expect(Math.abs(found[k].slope - slope)).toBeLessThan(1e-8);
  });
});

describe("the closed form of the edge gradients of a two-layer GCN", () => {
  test("is what the tape computes for a graph with an overlay", async () => {
    const backend = createReference();
    const { graph, model, nodes } = await attackCase(backend, 27, { numNodes: 12 });
    const pairs = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 11 - i }, (_, k) => [i, i + 1 + k] as const),
    ).flat();
    const rng = new Rng(3);
    const host = {
      sources: pairs.map(([i]) => i),
      targets: pairs.map(([, j]) => j),
      weights: pairs.map(() => (rng.uniform() < 0.3 ? rng.uniform() : 0)),
    };
    const { block, dense } = relaxedCase(backend, graph, host);
    const view = toDevice(backend, graph);
    const set = nodeSet(view, nodes);
    const { grads } = valueAndGrad(() => {
      const logits = model.forward(relax(view, block, 0), { constants: new Constants(), dropout: null });
      return [tanhMargin(gatherRows(logits, set.nodes), set.labels)];
    }, [block.weights]);
    const found = await grads[0].read();
    const signs = await block.signs.read();
    const expected = closedForm(await hostGcn(model), dense, graph, nodes);
    for (const [e, [i, j]] of pairs.entries()) expect(found[e]).toBeCloseTo(signs[e] * expected(i, j), 10);
  });

  /** ∂L/∂A{i,j}: two dot products per layer, and one number per node for the normalisation. */
  function closedForm({ layers }: HostGcn, A: readonly number[][], graph: Graph, nodes: readonly number[]) {
    const P = denseNormalised(A, false);
    const first = layers[0];
    const second = layers[1];
    const U = product(denseFeatures(graph), first.weight);
    const PU = product(P, U); // P₁ − b₁
    const P1 = PU.map((row) => row.map((x, c) => x + first.bias[c]));
    const V = product(
      P1.map((row) => row.map((x) => Math.max(x, 0))),
      second.weight,
    );
    const PV = product(P, V); // Z − b₂
    const G2 = PV.map((row, node) => {
      const z = row.map((x, c) => x + second.bias[c]);
      const { mu, rival } = margin(z, graph.labels[node]);
      const slope = (1 - Math.tanh(mu) ** 2) / nodes.length;
      return z.map((_, c) => (c === graph.labels[node] ? -slope : c === rival ? slope : 0));
    });
    const Q2 = product(P, G2);
    const G1 = product(Q2, transposed(second.weight)).map((row, i) => row.map((g, c) => (P1[i][c] > 0 ? g : 0)));
    const Q1 = product(P, G1);
    const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, c) => sum + value * y[c], 0);
    const degree = A.map((row) => 1 + row.reduce((sum, a) => sum + a, 0));
    const s = degree.map((d) => 1 / Math.sqrt(d));
    const t = degree.map(
      (d, i) => -(dot(G2[i], PV[i]) + dot(G1[i], PU[i]) + dot(V[i], Q2[i]) + dot(U[i], Q1[i])) / (2 * d),
    );
    return (i: number, j: number) =>
      s[i] * s[j] * (dot(G2[i], V[j]) + dot(G2[j], V[i]) + dot(G1[i], U[j]) + dot(G1[j], U[i])) + t[i] + t[j];
  }
});

describe("PairTiles", () => {
  test.each([false, true])("visits every pair once, in order, each time anew (directed %s)", async (directed) => {
    const { view } = await attackCase(createReference(), 1, { numNodes: 13, directed });
    const tiles = new PairTiles("test", view, 64);
    const visit = async () => {
      const seen: number[] = [];
      for (const { begin, pairs } of tiles) {
        expect(begin).toBe(seen.length);
        const sources = await view.backend.read(pairs.sources);
        const targets = await view.backend.read(pairs.targets);
        for (let e = 0; e < pairs.length; e++) seen.push(sources[e] * 13 + targets[e]);
      }
      return seen;
    };
    const all = Array.from({ length: 169 }, (_, k) => k).filter((k) => {
      const i = Math.floor(k / 13);
      const j = k % 13;
      return directed ? i !== j : i < j;
    });
    expect(await visit()).toEqual(all);
    for (const _ of tiles) break; // a visit that ends early does not disturb the next
    expect(await visit()).toEqual(all);
  });

  test.each([false, true])("numbers pairs in the order in which it visits them (directed %s)", (directed) => {
    const graph = randomGraph(9, 0, 0, { directed });
    const all = allPairsOf(graph);
    const some = [...all.keys()].filter((k) => k % 3 !== 1);
    const { sources, targets } = pairsNumbered(graph, some);
    expect(Array.from(sources, (source, k) => [source, targets[k]])).toEqual(some.map((k) => all[k]));
  });

  test("refuses a graph with too many pairs and names the way out", () => {
    const view = { backend: createReference(), numNodes: 200_000, directed: false } as GraphView;
    expect(() => new PairTiles("fgsm", view)).toThrow("fgsm: 200000 nodes have 2.0e+10 pairs");
    expect(() => new PairTiles("pgd", view)).toThrow("use prbcd or grbcd");
  });
});

describe("FGSM", () => {
  test("with a smaller budget is the beginning of FGSM with a larger one", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 27, { numNodes: 20 });
    const run = (budget: number) => fgsm(model, view, { nodes, budget, rng: new Rng(0) });
    const short = (await run(3)).perturbation.flips;
    const long = (await run(7)).perturbation.flips;
    expect([...long.sources.slice(0, 3)]).toEqual([...short.sources]);
    expect([...long.targets.slice(0, 3)]).toEqual([...short.targets]);
  });

  test("flips the pair with the largest gradient first", async () => {
    const { graph, model, view, nodes } = await attackCase(createReference(), 23, { numNodes: 15 });
    const { perturbation } = await fgsm(model, view, { nodes, budget: 1, rng: new Rng(0) }, { loss: tanhMargin });
    const { flips } = perturbation;
    const { dense } = relaxedCase(view.backend, graph, { sources: [], targets: [], weights: [] });
    const scores = densePairs(await hostGcn(model), dense, graph, nodes).map(({ i, j, slope }) => ({
      pair: [i, j],
      score: slope * (1 - 2 * dense[i][j]),
    }));
    const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
    expect([flips.sources[0], flips.targets[0]]).toEqual(best.pair);
  });

  test("stops when no flip promises anything", async () => {
    const { model, view } = await attackCase(createReference(), 28, { numNodes: 10 }); // every node in one class
    const { perturbation, accuracy } = await fgsm(model, view, { nodes: [0], budget: 40, rng: new Rng(0) });
    expect(perturbation.flips.sources.length).toBeLessThan(40);
    expect(accuracy.clean).toBe(1);
  });

  test("finds the same flips in one tile as in many", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 27, { numNodes: 20 });
    const run = (tileSize: number) => fgsm(model, view, { nodes, budget: 5, rng: new Rng(0) }, { tileSize });
    expect((await run(64)).perturbation).toEqual((await run(4096)).perturbation);
  });
});

test("PGD finds the same flips in one tile as in many", async () => {
  const { model, view, nodes } = await attackCase(createReference(), 27, { numNodes: 20 });
  const run = (tileSize: number) => pgd(model, view, { nodes, budget: 5, rng: new Rng(0) }, { tileSize, epochs: 6 });
  const many = await run(64);
  const one = await run(4096);
  expect(many.perturbation).toEqual(one.perturbation);
  expect(many.trace).toEqual(one.trace);
});

describe("GR-BCD", () => {
  test("spreads the budget evenly, the first steps taking what is left over", () => {
    expect(flipSchedule(10, 4)).toEqual([3, 3, 2, 2]);
    expect(flipSchedule(8, 4)).toEqual([2, 2, 2, 2]);
    expect(flipSchedule(3, 500)).toEqual([1, 1, 1]);
  });

  test("that goes on from a smaller budget with the same random numbers ends where one run does", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 27, { numNodes: 20 });
    const options = { blockSize: 100 }; // more epochs than flips: every step makes one
    const whole = await grbcd(model, view, { nodes, budget: 6, rng: new Rng(3) }, options);
    const rng = new Rng(3);
    const first = await grbcd(model, view, { nodes, budget: 2, rng }, options);
    const rest = await resumeGrbcd(model, view, { nodes, budget: 6, rng }, first.perturbation.flips, options);
    expect(rest.trace).toHaveLength(4);
    expect(rest.perturbation).toEqual(whole.perturbation);
    expect(rest.accuracy).toEqual(whole.accuracy);
    const tooFew = resumeGrbcd(model, view, { nodes, budget: 1, rng }, first.perturbation.flips, options);
    await expect(tooFew).rejects.toThrow("grbcd: 2 flips are made already, more than the budget of 1");
  });

  test("with all pairs in its block is FGSM, as long as no pair comes up again", async () => {
    for (const directed of [false, true]) {
      const { graph, model, view, nodes } = await attackCase(createReference(), 27, { numNodes: 20, directed });
      const blockSize = graph.numNodes * graph.numNodes;
      const task = { nodes, budget: 5 };
      const greedy = await grbcd(model, view, { ...task, rng: new Rng(1) }, { blockSize, epochs: 5 });
      const { perturbation, trace } = await fgsm(model, view, { ...task, rng: new Rng(1) });
      const { flips } = perturbation;
      const names = (of: typeof flips) => Array.from(of.sources, (source, k) => `${source},${of.targets[k]}`).sort();
      expect(names(greedy.perturbation.flips)).toEqual(names(flips));
      for (const [t, { loss }] of trace.entries()) expect(greedy.trace[t].loss).toBeCloseTo(loss, 10);
    }
  });
});
