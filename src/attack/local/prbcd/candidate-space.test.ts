import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../../test/support/any-graph.ts";
import { Rng } from "../../../core/rng.ts";
import { hasEntry } from "../../../graph/csr.ts";
import { rowsOfGraph } from "../../../graph/graph-rows.ts";
import { candidateFlips } from "../candidates.ts";
import type { Influence } from "../local-task.ts";
import { CandidateSpace } from "./candidate-space.ts";

const anyInfluence = fc.constantFrom<Influence>("direct", "influencer", "both");

function names({ sources, targets }: { sources: Int32Array; targets: Int32Array }): string[] {
  return Array.from(sources, (source, e) => `${source},${targets[e]}`).sort();
}

describe("CandidateSpace", () => {
  test("holds every pair that may be flipped once, with its sign, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, anyInfluence, fc.nat(11), (graph, influence, at) => {
        const node = at % graph.numNodes;
        const rows = { ...rowsOfGraph(graph), directed: graph.directed };
        const block = new CandidateSpace(rows, { node, influence }).all();
        expect(names(block)).toEqual(names(candidateFlips(graph, { node, influence })));
        for (const [e, sign] of block.signs.entries()) {
          expect(sign).toBe(hasEntry(graph.adjacency, block.sources[e], block.targets[e]) ? -1 : 1);
        }
        const insertions = new CandidateSpace(rows, { node, influence }, { insertOnly: true }).all();
        expect(insertions.signs.length).toBe(block.signs.filter((sign) => sign > 0).length);
      }),
    );
  });

  test("draws different pairs, evenly, without storing any", () => {
    const rows = { numNodes: 1e9, directed: false, neighbours: () => [] };
    const space = new CandidateSpace(rows, { node: 5, influence: "direct" });
    const { numbers } = space.draw(1000, new Rng(0));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const [t, number] of numbers.entries()) expect(Math.floor(number / 1e6)).toBe(t);
  });

  test("keeps what it is told to beside fresh draws, in ascending order", () => {
    const rows = { numNodes: 100, directed: false, neighbours: () => [] };
    const space = new CandidateSpace(rows, { node: 0, influence: "direct" });
    const numbers = space.drawBeside(Float64Array.of(3, 50), 20, new Rng(1));
    expect(numbers).toContain(3);
    expect(numbers).toContain(50);
    expect([...numbers]).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });
});
