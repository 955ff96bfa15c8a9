import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, entryNames, randomGraph } from "../../test/support/any-graph.ts";
import { hasEntry } from "./csr.ts";
import { applyFlips, checkFlips, type Flips, flipActions } from "./flips.ts";
import { checkGraph, type Graph } from "./graph.ts";

function flipsOf(...pairs: [number, number][]): Flips {
  return { sources: Int32Array.from(pairs, ([i]) => i), targets: Int32Array.from(pairs, ([, j]) => j) };
}

/** Any graph with any set of pairs that may be flipped on it. */
const anyFlips = anyGraph.chain((graph) => {
  const { numNodes: n, directed } = graph;
  const node = fc.nat(n - 1);
  const pair = fc.tuple(node, node).filter(([i, j]) => (directed ? i !== j : i < j));
  const pairs = n === 1 ? fc.constant([]) : fc.uniqueArray(pair, { selector: String, maxLength: (n * (n - 1)) / 2 });
  return pairs.map((list): [Graph, Flips] => [graph, flipsOf(...list)]);
});

describe("applyFlips", () => {
  test("adds an edge that is not there in both directions and removes one that is", () => {
    const triangleAndNode = applyFlips(randomGraph(4, 0, 0), flipsOf([0, 1], [1, 2], [0, 2]));
    const flipped = applyFlips(triangleAndNode, flipsOf([2, 3], [0, 1]));
    expect(entryNames(flipped.adjacency)).toEqual(["0,2", "1,2", "2,0", "2,1", "2,3", "3,2"]);
  });
  test("flips one direction of a directed graph", () => {
    const graph = randomGraph(3, 0, 0, { directed: true });
    expect(entryNames(applyFlips(graph, flipsOf([2, 0])).adjacency)).toEqual(["2,0"]);
  });
  test("twice restores any graph (rule B2), and makes a valid one in between that shares features and labels", () => {
    fc.assert(
      fc.property(anyFlips, ([graph, flips]) => {
        const flipped = checkGraph(applyFlips(graph, flips));
        expect(flipped.features).toBe(graph.features);
        expect(flipped.labels).toBe(graph.labels);
        expect(applyFlips(flipped, flips).adjacency).toEqual(graph.adjacency);
      }),
    );
  });
  test("toggles the named pairs and no other", () => {
    fc.assert(
      fc.property(anyFlips, ([graph, flips]) => {
        const before = new Set(entryNames(graph.adjacency));
        const after = new Set(entryNames(applyFlips(graph, flips).adjacency));
        const changed = [...new Set([...before, ...after])].filter((name) => before.has(name) !== after.has(name));
        const sources = [...flips.sources];
        const targets = [...flips.targets];
        const named = sources.flatMap((i, k) => {
          const j = targets[k];
          return graph.directed ? [`${i},${j}`] : [`${i},${j}`, `${j},${i}`];
        });
        expect(changed.sort()).toEqual(named.sort());
      }),
    );
  });
});

describe("flipActions", () => {
  test("says remove for pairs that are edges and add for all others", () => {
    fc.assert(
      fc.property(anyFlips, ([graph, flips]) => {
        const { adjacency } = applyFlips(graph, flips);
        for (const [k, action] of flipActions(graph, flips).entries()) {
          expect(hasEntry(adjacency, flips.sources[k], flips.targets[k])).toBe(action === "add");
        }
      }),
    );
  });
});

describe("checkFlips", () => {
  const graph = randomGraph(3, 0.5, 0);
  const cases: [string, Flips, string][] = [
    ["a self loop", flipsOf([1, 1]), "pair 0 (1, 1) is a self loop"],
    ["a node that is not there", flipsOf([0, 1], [1, 3]), "pair 1 (1, 3) must name nodes 0 … 2"],
    ["a pair the wrong way round", flipsOf([2, 0]), "pair 0 (2, 0) must have source < target"],
    ["a pair twice", flipsOf([0, 1], [1, 2], [0, 1]), "1 of 3 pairs repeat an earlier one"],
    ["a source without a target", { sources: Int32Array.of(0), targets: new Int32Array(0) }, "1 sources for 0 targets"],
  ];
  test.each(cases)("refuses %s", (_, flips, message) => {
    expect(() => checkFlips(graph, flips)).toThrow(message);
    expect(() => applyFlips(graph, flips)).toThrow(message);
  });
});
