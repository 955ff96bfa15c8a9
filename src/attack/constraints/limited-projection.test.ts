import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.ts";
import type { Flips } from "../../graph/flips.ts";
import { LimitedProjection, type Limits } from "./limited-projection.ts";

/** Without anything remembered. */
const project = (pairs: Flips, values: ArrayLike<number>, limits: Limits) =>
  new LimitedProjection(limits).project(pairs, Float64Array.from(values));

const sum = (values: Iterable<number>) => [...values].reduce((total, x) => total + x, 0);
const clip = (x: number) => Math.min(Math.max(x, 0), 1);

/** Dykstra's alternating projections onto the half spaces and the box, until nothing moves: slow, simple, and another method. */
function byDykstra(pairs: Flips, values: readonly number[], { budget, limitOf }: Limits): number[] {
  const nodes = [...new Set([...pairs.sources, ...pairs.targets])];
  const all = values.map((_, e) => e);
  const at = (node: number) => all.filter((e) => pairs.sources[e] === node || pairs.targets[e] === node);
  const halfSpace = (places: number[], bound: number) => (x: number[]) => {
    const excess = Math.max(0, sum(places.map((e) => x[e])) - bound) / places.length;
    return x.map((value, e) => (places.includes(e) ? value - excess : value));
  };
  const sets = [
    halfSpace(all, budget),
    ...nodes.map((node) => halfSpace(at(node), limitOf(node))),
    (x: number[]) => x.map(clip),
  ];
  const corrections = sets.map(() => values.map(() => 0));
  let x = [...values];
  for (let round = 0; round < 20_000; round++) {
    let moves = 0; // of the corrections too: the point alone may stand still for a while
    for (const [s, project] of sets.entries()) {
      const moved = x.map((value, e) => value + corrections[s][e]);
      x = project(moved);
      const correction = moved.map((value, e) => value - x[e]);
      moves = Math.max(moves, ...correction.map((value, e) => Math.abs(value - corrections[s][e])));
      corrections[s] = correction;
    }
    if (moves < 1e-10) break;
  }
  return x;
}

interface Case {
  readonly pairs: Flips;
  readonly values: number[];
  readonly limits: number[];
  readonly budget: number;
}

/** Some pairs of a few nodes, with values around the box. */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    numNodes: fc.integer({ min: 2, max: 6 }),
    density: fc.constantFrom(0.4, 0.8, 1),
    spread: fc.constantFrom(1, 3),
    budget: fc.constantFrom(0.5, 1, 3, 100),
    seed: fc.nat(1e6),
  })
  .map(({ numNodes, density, spread, budget, seed }) => {
    const rng = new Rng(seed);
    const sources: number[] = [];
    const targets: number[] = [];
    for (let i = 0; i < numNodes; i++) {
      for (let j = i + 1; j < numNodes; j++) {
        if (rng.uniform() >= density) continue;
        sources.push(i);
        targets.push(j);
      }
    }
    const values = sources.map(() => spread * (rng.uniform() * 1.5 - 0.25));
    const limits = Array.from({ length: numNodes }, () => 1 + rng.integer(3));
    return { pairs: { sources: Int32Array.from(sources), targets: Int32Array.from(targets) }, values, limits, budget };
  });

const limitsOf = ({ limits, budget }: Pick<Case, "limits" | "budget">): Limits => ({
  numNodes: limits.length,
  budget,
  limitOf: (node) => limits[node],
});

describe("the projection onto a budget and limits per node", () => {
  test("leaves weights that are within them alone", () => {
    const pairs = { sources: Int32Array.of(0, 1), targets: Int32Array.of(1, 2) };
    expect([...project(pairs, [0.3, 0.4], limitsOf({ limits: [1, 1, 1], budget: 1 }))]).toEqual([0.3, 0.4]);
  });

  test("shares what a node may have among its pairs", () => {
    const pairs = { sources: Int32Array.of(0, 0, 2), targets: Int32Array.of(1, 2, 3) };
    const found = project(pairs, [0.9, 0.7, 0.8], limitsOf({ limits: [1, 9, 9, 9], budget: 9 }));
    for (const [e, expected] of [0.6, 0.4, 0.8].entries()) expect(found[e]).toBeCloseTo(expected, 6);
  });

  test("is the point that alternating projections converge to, for any values", () => {
    fc.assert(
      fc.property(anyCase, (given) => {
        fc.pre(given.values.length > 0);
        const limits = limitsOf(given);
        const found = project(given.pairs, given.values, limits);
        const expected = byDykstra(given.pairs, given.values, limits);
        for (const [e, weight] of expected.entries()) expect(Math.abs(found[e] - weight)).toBeLessThan(1e-4);
      }),
      { numRuns: 200 },
    );
  });

  test("is the same whatever was projected before", () => {
    fc.assert(
      fc.property(anyCase, fc.nat(1e6), (given, seed) => {
        fc.pre(given.values.length > 0);
        const rng = new Rng(seed);
        const before = Float64Array.from(given.values, () => 2 * rng.uniform());
        const used = new LimitedProjection(limitsOf(given));
        used.project(given.pairs, before);
        const found = used.project(given.pairs, Float64Array.from(given.values));
        const expected = project(given.pairs, given.values, limitsOf(given));
        for (const [e, weight] of expected.entries()) expect(Math.abs(found[e] - weight)).toBeLessThan(1e-4);
      }),
    );
  });

  test("keeps thousands of pairs within their limits in little time", () => {
    const rng = new Rng(3);
    const numNodes = 2000;
    const size = 20_000;
    const sources = Int32Array.from({ length: size }, () => rng.integer(numNodes / 20)); // hubs
    const targets = Int32Array.from({ length: size }, () => numNodes / 20 + rng.integer(numNodes - numNodes / 20));
    const values = Float64Array.from({ length: size }, () => 3 * rng.uniform());
    const limits = Array.from({ length: numNodes }, () => 1 + rng.integer(20));
    const weights = project({ sources, targets }, values, limitsOf({ limits, budget: 800 }));
    const sums = new Float64Array(numNodes);
    for (const [e, weight] of weights.entries()) {
      sums[sources[e]] += weight;
      sums[targets[e]] += weight;
    }
    expect(Math.abs(sum(weights) - 800)).toBeLessThan(0.01);
    for (const [node, total] of sums.entries()) expect(total).toBeLessThan(limits[node] + 1e-4);
  });
});
