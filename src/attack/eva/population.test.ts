import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { Constraints } from "../constraints/constraints.ts";
import { Victim } from "../victim.ts";
import { combineGenes } from "./combine.ts";
import { uniformCrossover, unite } from "./crossover.ts";
import { FreshPairs } from "./fresh-pairs.ts";
import { drawRanked, GenePool } from "./gene-pool.ts";
import { Incumbent } from "./incumbent.ts";
import { type Individual, symmetricDifference } from "./individual.ts";
import { PairKeys } from "./pair-keys.ts";
import { Repair } from "./repair.ts";
import { nearby, survivors, tournament } from "./select.ts";

const anySet = fc.uniqueArray(fc.nat(30)).map((keys) => new Set(keys));

function member(fitness: number, size = 0): Individual {
  return { delta: new Set(Array.from({ length: size }, (_, k) => k)), score: fitness, fitness };
}

describe("crossover", () => {
  test("gives a child what its parents share, and otherwise only what one of them has", () => {
    fc.assert(
      fc.property(anySet, anySet, fc.nat(1e6), (a, b, seed) => {
        for (const child of [uniformCrossover(a, b, new Rng(seed)), unite([a, b])]) {
          for (const key of a) if (b.has(key)) expect(child.has(key)).toBe(true);
          for (const key of child) expect(a.has(key) || b.has(key)).toBe(true);
        }
        expect(unite([a, b]).size).toBe(a.size + b.size - [...a].filter((key) => b.has(key)).length);
      }),
    );
  });
});

describe("individuals", () => {
  test("are the same flips when they are written relative to another incumbent", () => {
    fc.assert(
      fc.property(anySet, anySet, anySet, (incumbent, delta, move) => {
        const moved = symmetricDifference(incumbent, move);
        const before = symmetricDifference(incumbent, delta);
        const after = symmetricDifference(moved, symmetricDifference(delta, move));
        expect([...after].sort()).toEqual([...before].sort());
      }),
    );
  });

  test("name each pair by one key, whichever way an undirected one is given", () => {
    const keys = new PairKeys({ numNodes: 10, directed: false });
    expect(keys.of(7, 3)).toBe(keys.of(3, 7));
    expect([keys.source(37), keys.target(37)]).toEqual([3, 7]);
    expect(new PairKeys({ numNodes: 10, directed: true }).of(7, 3)).toBe(73);
    expect(keys.toFlips([89, 12])).toEqual({ sources: Int32Array.of(1, 8), targets: Int32Array.of(2, 9) });
    expect(() => new PairKeys({ numNodes: 1e8, directed: false })).toThrow(
      "cannot number the pairs of 100000000 nodes",
    );
  });
});

describe("selection", () => {
  test("keeps the fittest, the best first, and no two with the same fitness", () => {
    const all = [member(3), member(1), member(2), member(1), member(5)];
    expect(survivors(all, 3).map(({ fitness }) => fitness)).toEqual([1, 2, 3]);
  });

  test("prefers fit parents, the more the larger the tournament", () => {
    const population = Array.from({ length: 10 }, (_, k) => member(k));
    const mean = (size: number) => {
      const rng = new Rng(1);
      return Array.from({ length: 400 }, () => tournament(population, size, rng).fitness).reduce((a, b) => a + b) / 400;
    };
    expect(mean(1)).toBeGreaterThan(mean(3));
    expect(mean(3)).toBeGreaterThan(mean(9));
  });

  test("leaves members behind that are far from the incumbent", () => {
    expect(nearby([member(0), member(1, 64), member(2, 65)]).map(({ fitness }) => fitness)).toEqual([0, 1]);
  });
});

describe("the pool", () => {
  const keys = new PairKeys({ numNodes: 10, directed: false });

  test("ranks what paid, forgets what no longer does, and learns who the partners were", () => {
    const pool = new GenePool(keys, 10, 4);
    pool.learnAddition(keys.of(0, 1), -1);
    pool.learnAddition(keys.of(2, 3), -3);
    pool.learnAddition(keys.of(4, 5), 2);
    pool.rank();
    expect(pool.additions).toEqual([keys.of(2, 3), keys.of(0, 1)]);
    expect(pool.worth[3]).toBeGreaterThan(pool.worth[1]);
    expect(pool.worth[5]).toBe(0);
    pool.learnAddition(keys.of(2, 3), 0);
    pool.forget([keys.of(0, 1)]);
    pool.rank();
    expect(pool.additions).toEqual([]);
    expect(drawRanked(pool.additions, new Rng(0))).toBeUndefined();
  });

  test("offers the most dispensable flips first", () => {
    const pool = new GenePool(keys, 10, 4);
    for (const [key, cost] of [
      [5, 2],
      [6, -1],
      [7, 0],
    ]) {
      pool.learnDrop(key, cost);
    }
    pool.rank();
    expect(pool.drops).toEqual([6, 7, 5]);
    expect(pool.knowsCostOf(8)).toBe(false);
  });
});

/** An incumbent with these flips on a small graph. */
async function incumbentAt(pairs: readonly (readonly [number, number])[], seed = 1) {
  const { model, view, graph, nodes } = await attackCase(createReference(), seed);
  const victim = new Victim(model, view, nodes);
  const keys = new PairKeys(graph);
  const incumbent = await Incumbent.open(victim, { nodes, budget: 5, rng: new Rng(0) }, keys);
  const [there] = await incumbent.evaluate([new Set(pairs.map(([i, j]) => keys.of(i, j)))]);
  await incumbent.moveTo(there);
  return { incumbent, keys, graph, there };
}

describe("the incumbent", () => {
  test("has the score that was seen for it before it moved, and so have others from there", async () => {
    const { incumbent, keys, there } = await incumbentAt([
      [0, 1],
      [2, 9],
    ]);
    expect(incumbent.self.score).toBe(there.score);
    expect(incumbent.self.fitness).toBeCloseTo(there.fitness, 6);
    const [back] = await incumbent.evaluate([new Set([keys.of(2, 9)])]);
    const alone = await incumbentAt([[0, 1]]);
    expect(back.fitness).toBeCloseTo(alone.incumbent.self.fitness, 6);
    expect(incumbent.sizeWith(new Set([keys.of(2, 9), keys.of(4, 5)]))).toBe(2);
    expect(incumbent.repeats).toBe(1);
  });
});

describe("repair", () => {
  test("brings any child within budget and limits", async () => {
    const { incumbent, keys, graph } = await incumbentAt([
      [0, 1],
      [2, 9],
      [0, 5],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(13 * 14), { maxLength: 20 }), fc.nat(1e6), async (drawn, seed) => {
        const rng = new Rng(seed);
        const limits = Int32Array.from({ length: graph.numNodes }, () => 2);
        const constraints = new Constraints(graph, { perNode: limits });
        const child = new Set(
          drawn
            .filter((key) => keys.source(key) !== keys.target(key))
            .map((key) => keys.of(keys.source(key), keys.target(key))),
        );
        const pool = new GenePool(keys, graph.numNodes, 4);
        new Repair(incumbent, pool, { budget: 4, constraints }, rng).apply(child);
        expect(incumbent.sizeWith(child)).toBeLessThanOrEqual(4);
        expect(constraints.firstViolation(incumbent.flipsWith(child))).toBeNull();
      }),
    );
  });

  test("gives up dispensable flips for better ones", async () => {
    const { incumbent, keys, graph } = await incumbentAt([
      [0, 1],
      [2, 9],
    ]);
    const pool = new GenePool(keys, graph.numNodes, 2);
    pool.learnDrop(keys.of(2, 9), -1);
    pool.rank();
    const child = new Repair(incumbent, pool, { budget: 2, constraints: undefined }, new Rng(0)).apply(
      new Set([keys.of(4, 5)]),
    );
    expect(child).toEqual(new Set([keys.of(4, 5), keys.of(2, 9)]));
  });
});

test("children with many parents take the best pairs without a node in common, and exchange only what pays", async () => {
  const { incumbent, keys, graph } = await incumbentAt([[0, 1]]);
  const pool = new GenePool(keys, graph.numNodes, 2);
  for (const [i, j, gain] of [
    [2, 3, -3],
    [3, 4, -2.5],
    [5, 6, -2],
    [7, 8, -1],
  ]) {
    pool.learnAddition(keys.of(i, j), gain);
  }
  pool.learnDrop(keys.of(0, 1), 1.5);
  pool.rank();
  const children = combineGenes(incumbent, pool, 2);
  expect(children[0]).toEqual(new Set([keys.of(2, 3)]));
  expect(children[1]).toEqual(new Set([keys.of(2, 3), keys.of(0, 1), keys.of(5, 6)])); // the room for one is taken
  expect(children[2]).toEqual(children[1]); // nothing else that pays can be given up
});

test("fresh pairs may be flipped, aim at open nodes and prefer partners that helped", () => {
  const graph = randomGraph(40, 0.1, 3);
  const keys = new PairKeys(graph);
  const constraints = new Constraints(graph, { protectedNodes: [0, 1, 2] });
  const fresh = new FreshPairs(graph, keys, constraints, new Rng(1));
  const worth = new Float64Array(40);
  const partner = graph.labels.findIndex((label, node) => label !== graph.labels[10] && node > 10);
  worth[partner] = 1;
  fresh.aim({ nodes: [10], weights: Float64Array.of(1) }, worth);
  const drawn = Array.from({ length: 300 }, () => fresh.draw()).filter((key) => key !== null);
  for (const key of drawn) expect(constraints.allows(keys.source(key), keys.target(key))).toBe(true);
  const at = (node: number) => drawn.filter((key) => keys.source(key) === node || keys.target(key) === node).length;
  expect(at(10)).toBeGreaterThan(0.5 * drawn.length);
  expect(at(partner)).toBeGreaterThan(0.3 * drawn.length);
});
