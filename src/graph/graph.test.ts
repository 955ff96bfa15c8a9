import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { csrFromEntries } from "./csr.ts";
import { checkGraph, Graph, type GraphParts } from "./graph.ts";

describe("Graph", () => {
  test("counts an undirected edge twice as entries and once as an edge", () => {
    const graph = randomGraph(4, 1, 0);
    expect([graph.numNodes, graph.numEntries, graph.numEdges]).toEqual([4, 12, 6]);
  });
  test("counts a directed edge once both ways", () => {
    const graph = randomGraph(4, 1, 0, { directed: true });
    expect([graph.numEntries, graph.numEdges]).toEqual([12, 12]);
  });
  test("takes the number of classes from the labels unless it is given", () => {
    const parts: GraphParts = {
      adjacency: csrFromEntries(2, 2, [], []),
      features: { numRows: 2, numCols: 0, data: new Float32Array(0) },
      labels: Int32Array.of(3, -1),
      directed: false,
    };
    expect(new Graph(parts).numClasses).toBe(4);
    expect(new Graph({ ...parts, numClasses: 9 }).numClasses).toBe(9);
  });
  test("with other edges shares features and labels", () => {
    const graph = randomGraph(5, 0.5, 1);
    const other = graph.withAdjacency(csrFromEntries(5, 5, [], []));
    expect(other.features).toBe(graph.features);
    expect(other.labels).toBe(graph.labels);
    expect([graph.numEntries > 0, other.numEntries]).toEqual([true, 0]);
  });
});

describe("checkGraph", () => {
  test("accepts any generated graph and returns it", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect(checkGraph(graph)).toBe(graph);
      }),
    );
  });
  const good = randomGraph(3, 1, 0, { numFeatures: 1 });
  const cases: [string, Partial<GraphParts>, string][] = [
    ["a self loop", { adjacency: csrFromEntries(3, 3, [1], [1]) }, "node 1 has a self loop"],
    ["one direction of an undirected edge", { adjacency: csrFromEntries(3, 3, [0], [1]) }, "store both directions"],
    ["an adjacency that is not square", { adjacency: csrFromEntries(3, 4, [], []) }, "must be square, got 3 × 4"],
    ["a label out of range", { labels: Int32Array.of(0, 7, 1) }, "label 7 of node 1 must be in 0 … 2"],
    ["too few labels", { labels: Int32Array.of(0) }, "1 labels for 3 nodes"],
    [
      "features that are not finite",
      { features: { numRows: 3, numCols: 1, data: Float32Array.of(0, Number.NaN, 0) } },
      "feature value NaN at position 1 must be finite",
    ],
    [
      "too few rows of features",
      { features: { numRows: 2, numCols: 1, data: Float32Array.of(0, 1) } },
      "2 rows of features for 3 nodes",
    ],
  ];
  test.each(cases)("refuses %s", (_, broken, message) => {
    expect(() => checkGraph(new Graph({ ...good, ...broken }))).toThrow(message);
  });
});
