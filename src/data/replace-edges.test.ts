import { describe, expect, test } from "vitest";
import { csrFromEntries, hasEntry } from "../graph/csr.ts";
import { preprocess } from "./preprocess.ts";
import type { RawGraph } from "./raw-graph.ts";
import { noFeatures } from "./readers/no-features.ts";
import { replaceEdges } from "./replace-edges.ts";

/** Nodes 0 and 4 hang on nothing; 1-2-3 is a path. */
const raw: RawGraph = {
  name: "mine",
  where: "mine.npz",
  adjacency: csrFromEntries(5, 5, [1, 2], [2, 3]),
  features: { numRows: 5, numCols: 1, data: Float32Array.of(0, 10, 20, 30, 40) },
  labels: Int32Array.of(0, 1, 0, 1, 0),
  splits: { public: { train: Int32Array.of(0, 1), val: Int32Array.of(2), test: Int32Array.of(3) } },
};

function edgesOnly(numNodes: number, rows: number[], cols: number[], more: Partial<RawGraph> = {}): RawGraph {
  const adjacency = csrFromEntries(numNodes, numNodes, rows, cols);
  const labels = new Int32Array(numNodes).fill(-1);
  return { name: "other", where: "other.npz", adjacency, features: noFeatures(numNodes), labels, ...more };
}

describe("replaceEdges", () => {
  test("matches a file with as many nodes as the whole graph", () => {
    const { graph, ids, notes } = preprocess(replaceEdges(raw, edgesOnly(5, [0, 0, 0], [1, 2, 4])));
    expect([ids.idsOf([0, 1, 2, 3]), [...graph.labels]]).toEqual([
      [0, 1, 2, 4],
      [0, 1, 0, 0],
    ]);
    expect(notes[0]).toBe("mine: edges are those of other.npz, matched with all 5 nodes");
  });
  test("matches a file with as many nodes as the largest component, and cuts nothing more", () => {
    const { graph, ids, splits, notes } = preprocess(replaceEdges(raw, edgesOnly(3, [0], [2])));
    expect([ids.idsOf([0, 1, 2]), graph.numEdges, hasEntry(graph.adjacency, 2, 0)]).toEqual([[1, 2, 3], 1, true]);
    expect([...splits!["public"].train]).toEqual([0]);
    expect(notes[0]).toContain("matched with the 3 nodes of its largest component");
  });
  test("matches a file that names its nodes by their ids", () => {
    const other = edgesOnly(3, [0], [1], { ids: [4, 2, 1] });
    const { graph, ids, notes } = preprocess(replaceEdges(raw, other));
    expect([ids.idsOf([0, 1, 2]), [...graph.labels], hasEntry(graph.adjacency, 0, 1)]).toEqual([
      ...[[4, 2, 1], [0, 0, 1], true],
    ]);
    expect(notes[0]).toContain("matched by the ids of 3 nodes");
  });
  test("refuses any other number of nodes, and ids that the graph does not have", () => {
    expect(() => replaceEdges(raw, edgesOnly(4, [0], [1]))).toThrow(
      "other.npz: has 4 nodes, but mine has 5, of which 3 are in its largest component",
    );
    expect(() => replaceEdges(raw, edgesOnly(1, [], [], { ids: [9] }))).toThrow("mine.npz has no node 9");
  });
});
