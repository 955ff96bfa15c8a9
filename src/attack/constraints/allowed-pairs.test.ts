import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allPairs, anyRules, rulesFor } from "../../../test/support/any-constraints.ts";
import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { countAllowed, listAllowed, PairList, spaceOf } from "./allowed-pairs.ts";
import { Constraints } from "./constraints.ts";
import { PairGrid, type PairSpace } from "./pair-grid.ts";

const pairsOf = (space: PairSpace) => Array.from({ length: space.size }, (_, index) => [...space.at(index)]);

describe("the pairs that constraints allow", () => {
  test("are counted and listed as asking for each of them would, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, anyRules, (graph, choice) => {
        const constraints = new Constraints(graph, rulesFor(graph, choice));
        const expected = allPairs(graph).filter(([i, j]) => constraints.allows(i, j));
        expect(countAllowed(constraints)).toBe(expected.length);
        expect(pairsOf(new PairList(listAllowed(constraints)))).toEqual(expected);
      }),
    );
  });

  test("are all in the space that they are drawn from, and at least half of it", () => {
    fc.assert(
      fc.property(anyGraph, anyRules, (graph, choice) => {
        const constraints = new Constraints(graph, rulesFor(graph, choice));
        const space = pairsOf(spaceOf(constraints));
        const allowed = allPairs(graph).filter(([i, j]) => constraints.allows(i, j));
        expect(space.filter(([i, j]) => constraints.allows(i, j))).toEqual(allowed);
        expect(allowed.length).toBeGreaterThanOrEqual(space.length / 2);
      }),
    );
  });
});

describe("a grid of pairs", () => {
  test.each([false, true])("numbers those between two sets in order, each once (directed %s)", (directed) => {
    const graph = randomGraph(12, 0.3, 1, { directed });
    const first = [0, 3, 4, 7];
    const second = [3, 5, 7, 11];
    const { sides } = new Constraints(graph, { between: [first, second] });
    const isIn = (i: number, j: number) => first.includes(i) && second.includes(j);
    const expected = allPairs(graph).filter(([i, j]) => isIn(i, j) || isIn(j, i));
    const grid = new PairGrid(sides, directed);
    expect(pairsOf(grid)).toEqual(expected);
    for (const index of [9, 2, 2, 7, 0, 10]) expect(grid.at(index)).toEqual(expected[index]); // in any order
  });
});
