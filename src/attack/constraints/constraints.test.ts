import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allPairs, anyRules, rulesFor } from "../../../test/support/any-constraints.ts";
import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { csrFromEntries, hasEntry } from "../../graph/csr.ts";
import { noFlips } from "../../graph/flips.ts";
import { Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { Allowance } from "./allowance.ts";
import { Constraints } from "./constraints.ts";

/** 0 – 1 – 2 – 3, or 0 → 1 → 2 → 3. */
function path(directed: boolean): Graph {
  const edges = csrFromEntries(4, 4, [0, 1, 2], [1, 2, 3]);
  const { features, labels } = randomGraph(4, 0, 0);
  return new Graph({ adjacency: directed ? edges : symmetrise(edges), features, labels, directed });
}

const allowedOn = (graph: Graph, constraints: Constraints) =>
  allPairs(graph).filter(([i, j]) => constraints.allows(i, j));

describe("constraints", () => {
  test("allow everything but self loops, unless a rule says otherwise", () => {
    const constraints = new Constraints(path(false), {});
    expect(constraints.isUnlimited).toBe(true);
    expect(constraints.allows(0, 3)).toBe(true);
    expect(constraints.allows(2, 2)).toBe(false);
    expect(constraints.limitOf(1)).toBe(Number.POSITIVE_INFINITY);
  });

  test("can be to add only, or to remove only", () => {
    const graph = path(false);
    const added = allowedOn(graph, new Constraints(graph, { only: "additions" }));
    const removed = allowedOn(graph, new Constraints(graph, { only: "removals" }));
    expect(added).toEqual([
      [0, 2],
      [0, 3],
      [1, 3],
    ]);
    expect(removed).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  test("protect pairs, which on an undirected graph have no direction", () => {
    const protectedEdges = { sources: Int32Array.of(3, 0), targets: Int32Array.of(1, 1) };
    const undirected = new Constraints(path(false), { protectedEdges });
    expect([undirected.allows(1, 3), undirected.allows(3, 1), undirected.allows(1, 0)]).toEqual([false, false, false]);
    const directed = new Constraints(path(true), { protectedEdges });
    expect([directed.allows(1, 3), directed.allows(3, 1), directed.allows(1, 0)]).toEqual([true, false, true]);
  });

  test("ask for one end in each of two sets, which may share nodes", () => {
    const graph = path(false);
    const constraints = new Constraints(graph, {
      between: [
        [0, 1],
        [1, 2],
      ],
    });
    expect(allowedOn(graph, constraints)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
  });

  test("limit the flips at a node to a share of its degree, half to even, counting both directions", () => {
    const limits = (directed: boolean, share: number) => {
      const constraints = new Constraints(path(directed), { perNode: share });
      return [0, 1, 2, 3].map((node) => constraints.limitOf(node));
    };
    for (const directed of [false, true]) {
      expect(limits(directed, 1)).toEqual([1, 2, 2, 1]);
      expect(limits(directed, 0.5)).toEqual([0, 1, 1, 0]);
      expect(limits(directed, 1.5)).toEqual([2, 3, 3, 2]);
    }
    const half = new Constraints(path(false), { perNode: 0.5 });
    expect([half.allows(0, 1), half.allows(1, 2)]).toEqual([false, true]); // node 0 is left alone
  });

  test("name the flip that goes against them", () => {
    const constraints = new Constraints(path(false), { perNode: Int32Array.of(1, 1, 2, 2), protectedNodes: [0] });
    const flips = (...pairs: [number, number][]) => ({
      sources: Int32Array.from(pairs, ([i]) => i),
      targets: Int32Array.from(pairs, ([, j]) => j),
    });
    expect(constraints.firstViolation(noFlips)).toBeNull();
    expect(constraints.firstViolation(flips([1, 2], [2, 3]))).toBeNull();
    expect(constraints.firstViolation(flips([0, 2]))).toBe("pair (0, 2) may not be flipped");
    expect(constraints.firstViolation(flips([1, 2], [1, 3]))).toBe("node 1 has more flips than its limit of 1");
  });

  test("refuse nodes and limits that are not there", () => {
    const graph = path(false);
    const make = (rules: object) => () => new Constraints(graph, rules);
    expect(make({ only: "both" })).toThrow("only must be additions or removals, got both");
    expect(make({ protectedNodes: [4] })).toThrow("node 4 must be in 0 … 3");
    expect(make({ between: [[0], [-1]] })).toThrow("node -1 must be in 0 … 3");
    expect(make({ perNode: -0.5 })).toThrow("0 or more, got -0.5");
    expect(make({ perNode: Int32Array.of(1) })).toThrow("1 limits for 4 nodes");
    expect(make({ perNode: Int32Array.of(1, 1, -2, 1) })).toThrow("limit of node 2 must be 0 or more, got -2");
    const outside = { sources: Int32Array.of(0), targets: Int32Array.of(7) };
    expect(make({ protectedEdges: outside })).toThrow("node 7 of a protected edge must be in 0 … 3");
  });

  test("allow what no rule forbids, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, anyRules, (graph, choice) => {
        const rules = rulesFor(graph, choice);
        const constraints = new Constraints(graph, rules);
        const { only, protectedNodes = [], protectedEdges = noFlips, between } = rules;
        for (const [i, j] of allPairs(graph)) {
          const untouched = [i, j].every((node) => !Array.from(protectedNodes).includes(node));
          const room = constraints.limitOf(i) > 0 && constraints.limitOf(j) > 0;
          const named = protectedEdges.sources.some((source, k) => source === i && protectedEdges.targets[k] === j);
          const isEdge = hasEntry(graph.adjacency, i, j);
          const crosses = (a: number, b: number) =>
            !between || (Array.from(between[0]).includes(a) && Array.from(between[1]).includes(b));
          const action = only === undefined || (only === "removals") === isEdge;
          const expected = untouched && room && !named && action && (crosses(i, j) || crosses(j, i));
          expect(constraints.allows(i, j)).toBe(expected);
        }
      }),
    );
  });
});

describe("an allowance", () => {
  test("takes pairs until a node is full, and again once one is given back", () => {
    const allowance = new Allowance(new Constraints(path(false), { perNode: Int32Array.of(1, 1, 1, 2) }));
    expect(allowance.take(0, 3)).toBe(true);
    expect(allowance.take(0, 1)).toBe(false);
    expect(allowance.take(1, 3)).toBe(true);
    expect(allowance.permits(2, 3)).toBe(false);
    allowance.giveBack(0, 3);
    expect(allowance.permits(2, 3)).toBe(true);
    expect(allowance.permits(0, 2)).toBe(true);
  });

  test("counts the flips that were made before", () => {
    const made = { sources: Int32Array.of(1), targets: Int32Array.of(2) };
    const allowance = new Allowance(new Constraints(path(true), { perNode: Int32Array.of(1, 1, 2, 1) }), made);
    expect([allowance.permits(0, 1), allowance.permits(0, 2), allowance.hasRoom(1)]).toEqual([false, true, false]);
  });

  test("permits everything without constraints", () => {
    expect(new Allowance(undefined).take(1, 2)).toBe(true);
  });
});
