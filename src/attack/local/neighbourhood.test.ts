import { describe, expect, test } from "vitest";
import { csrFromEntries } from "../../graph/csr.ts";
import { noFlips } from "../../graph/flips.ts";
import { Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { directedRows } from "./attacked-graph.ts";
import { neighbourhoodOf } from "./neighbourhood.ts";

function graphOf(n: number, rows: number[], cols: number[]): Graph {
  const features = { numRows: n, numCols: 1, data: new Float32Array(n) };
  const adjacency = symmetrise(csrFromEntries(n, n, rows, cols));
  return new Graph({ adjacency, features, labels: new Int32Array(n), directed: false });
}

describe("neighbourhoodOf", () => {
  test("has the nodes within two steps, and says what the flips do to the edges between them", () => {
    const path = graphOf(7, [0, 1, 2, 3, 4], [1, 2, 3, 4, 5]);
    const flips = { sources: Int32Array.of(1, 1), targets: Int32Array.of(2, 6) };
    const { nodes, edges, complete } = neighbourhoodOf(directedRows(path), 1, flips);
    expect([...nodes].sort()).toEqual([0, 1, 2, 3, 6]);
    expect(nodes[0]).toBe(1);
    expect(complete).toBe(true);
    expect(edges.map(({ source, target, action }) => `${source}-${target} ${action}`).sort()).toEqual([
      "0-1 null",
      "1-2 remove",
      "1-6 add",
      "2-3 null",
    ]);
  });

  test("leaves out the farthest nodes where there are too many, and says so", () => {
    const leaves = Array.from({ length: 300 }, (_, k) => k + 2);
    const broom = graphOf(302, [0, ...leaves.map(() => 1)], [1, ...leaves]);
    const { nodes, complete } = neighbourhoodOf(directedRows(broom), 0, noFlips);
    expect(nodes.length).toBe(100);
    expect([...nodes.slice(0, 2)]).toEqual([0, 1]);
    expect(complete).toBe(false);
  });
});
