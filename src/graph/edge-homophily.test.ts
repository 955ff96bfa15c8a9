import { describe, expect, test } from "vitest";
import { csrFromEntries } from "./csr.ts";
import { edgeHomophily } from "./edge-homophily.ts";
import { Graph } from "./graph.ts";

function path(labels: number[]): Graph {
  const n = labels.length;
  const steps = Array.from({ length: n - 1 }, (_, i) => i);
  const next = steps.map((i) => i + 1);
  return new Graph({
    adjacency: csrFromEntries(n, n, [...steps, ...next], [...next, ...steps]),
    features: { numRows: n, numCols: 0, data: new Float32Array(0) },
    labels: Int32Array.from(labels),
    directed: false,
  });
}

describe("edgeHomophily", () => {
  test("is the share of edges inside a class", () => {
    expect(edgeHomophily(path([0, 0, 1, 1, 1]))).toBe(0.75);
  });
  test("leaves out edges to nodes whose class is unknown", () => {
    expect(edgeHomophily(path([0, 0, -1, -1, 1, 0]))).toBe(0.5);
  });
});
