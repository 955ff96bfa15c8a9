import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../../test/support/any-graph.ts";
import { Rng } from "../../core/rng.ts";
import { applyFlips } from "../flips.ts";
import { flippedNeighbours } from "./flipped-neighbours.ts";
import { neighboursOf } from "./neighbours.ts";

describe("flippedNeighbours", () => {
  test("has the rows of the rebuilt graph, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(1e6), (graph, seed) => {
        const rng = new Rng(seed);
        const [sources, targets]: [number[], number[]] = [[], []];
        for (let i = 0; i < graph.numNodes; i++) {
          for (let j = graph.directed ? 0 : i + 1; j < graph.numNodes; j++) {
            if (i === j || rng.uniform() < 0.7) continue;
            sources.push(i);
            targets.push(j);
          }
        }
        const flips = { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
        const flipped = flippedNeighbours(neighboursOf(graph.adjacency), flips, graph.directed);
        const rebuilt = neighboursOf(applyFlips(graph, flips).adjacency);
        for (let v = 0; v < graph.numNodes; v++) {
          expect(Array.from(flipped.neighbours(v))).toEqual(Array.from(rebuilt.neighbours(v)));
          expect(flipped.degree(v)).toBe(rebuilt.degree(v));
        }
      }),
    );
  });
});
