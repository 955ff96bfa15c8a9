import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules, rulesFor } from "../../../test/support/any-constraints.ts";
import { randomGraph } from "../../../test/support/any-graph.ts";
import type { PairDraw } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { hasEntry } from "../../graph/csr.ts";
import type { Graph } from "../../graph/graph.ts";
import { toDevice } from "../../tensor/index.ts";
import type { CandidateBlock } from "../block.ts";
import { countAllowed } from "./allowed-pairs.ts";
import { candidatesFor } from "./candidates.ts";
import { type ConstraintRules, Constraints } from "./constraints.ts";

const FLOOR = 1e-7;

function openCandidates(graph: Graph, rules: ConstraintRules | undefined, blockSize: number, draw: PairDraw) {
  const view = toDevice(createReference(), graph);
  const constraints = rules && new Constraints(graph, rules);
  return candidatesFor(view, constraints, { blockSize, floor: FLOOR, draw, rng: new Rng(1) });
}

async function rowsOf({ pairs, signs, weights }: CandidateBlock) {
  const { backend } = weights;
  const columns = [await backend.read(pairs.sources), await backend.read(pairs.targets)] as const;
  const values = [await signs.read(), await weights.read()] as const;
  return Array.from(columns[0], (i, e) => ({ i, j: columns[1][e], sign: values[0][e], weight: values[1][e] }));
}

const before = (a: { i: number; j: number }, b: { i: number; j: number }) => a.i - b.i || a.j - b.j;

describe("blocks of candidates", () => {
  test("hold pairs in ascending order, each once, with a sign that is 0 where they may not be flipped", async () => {
    const shape = fc.record({
      numNodes: fc.integer({ min: 8, max: 14 }),
      seed: fc.nat(1e6),
      directed: fc.boolean(),
      density: fc.constantFrom(0.2, 0.6),
      blockSize: fc.integer({ min: 4, max: 40 }),
      draw: fc.constantFrom<PairDraw>("stratified", "uniform"),
    });
    await fc.assert(
      fc.asyncProperty(shape, anyRules, async ({ numNodes, density, seed, directed, blockSize, draw }, choice) => {
        const graph = randomGraph(numNodes, density, seed, { directed });
        const rules = rulesFor(graph, choice);
        const constraints = new Constraints(graph, rules);
        fc.pre(countAllowed(constraints) > 0);
        const candidates = openCandidates(graph, rules, blockSize, draw);
        const block = candidates.sample();
        const first = await rowsOf(block);
        block.weights.assign(Float64Array.from(first, (_, e) => (e % 3 === 0 ? 0.5 : FLOOR)));
        const kept = first.filter((_, e) => e % 3 === 0);
        const next = await rowsOf(await candidates.resample(block));
        for (const rows of [first, next]) {
          expect(rows.length).toBe(candidates.blockSize);
          expect([...rows].sort(before)).toEqual(rows);
          expect(new Set(rows.map(({ i, j }) => `${i},${j}`)).size).toBe(rows.length);
          for (const { i, j, sign } of rows) {
            const expected = constraints.allows(i, j) ? (hasEntry(graph.adjacency, i, j) ? -1 : 1) : 0;
            expect(sign + 0).toBe(expected);
          }
        }
        for (const { i, j } of kept) {
          expect(next.find((row) => row.i === i && row.j === j)?.weight).toBe(0.5);
        }
        expect(next.filter(({ weight }) => weight === 0.5).length).toBe(kept.length);
      }),
      { numRuns: 150 },
    );
  });

  test("hold all pairs that may be flipped, once, where these fit, and are not drawn again", async () => {
    const graph = randomGraph(14, 0.4, 2);
    const candidates = openCandidates(graph, { only: "removals" }, 1000, "stratified");
    const block = candidates.sample();
    expect(candidates.blockSize).toBe(graph.numEdges);
    expect(block.pairs.length).toBe(graph.numEdges);
    expect(await candidates.resample(block)).toBe(block);
  });

  test("are drawn from all pairs on the device where most may be flipped, and from the others where few may", () => {
    const graph = randomGraph(40, 0.1, 2);
    const outOf = (rules?: ConstraintRules) => openCandidates(graph, rules, 20, "stratified").outOf;
    expect(outOf()).toBe(780);
    expect(outOf({})).toBe(780);
    expect(outOf({ only: "additions", protectedNodes: [3] })).toBe(780);
    expect(outOf({ only: "removals" })).toBe(graph.numEdges);
    expect(
      outOf({
        between: [
          [0, 1, 2, 3, 4],
          [5, 6, 7, 8, 9],
        ],
      }),
    ).toBe(25);
  });

  test("come from every part of what is allowed in time", async () => {
    const graph = randomGraph(20, 0.15, 5);
    const candidates = openCandidates(graph, { only: "removals" }, 10, "stratified");
    const seen = new Set<string>();
    for (let t = 0; t < 60; t++) for (const { i, j } of await rowsOf(candidates.sample())) seen.add(`${i},${j}`);
    expect(seen.size).toBe(graph.numEdges);
  });
});
