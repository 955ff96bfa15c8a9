import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import type { Graph } from "../graph/graph.ts";
import { checkBudget, edgeBudget, numPairs, roundHalfToEven } from "./budget.ts";

describe("edgeBudget", () => {
  test("rounds a share of the edges as the paper's tables do", () => {
    const budgets = (numEdges: number) =>
      [0.01, 0.05, 0.1, 0.25, 0.5, 1].map((epsilon) => edgeBudget({ numEdges } as Graph, epsilon));
    expect(budgets(7981)).toEqual([80, 399, 798, 1995, 3990, 7981]); // Cora ML
    expect(budgets(3668)).toEqual([37, 183, 367, 917, 1834, 3668]); // Citeseer
  });
  test("refuses a share outside of [0, 1] and shows what one looks like", () => {
    const graph = randomGraph(4, 1, 0);
    for (const epsilon of [-0.1, 1.1, Number.NaN]) {
      expect(() => edgeBudget(graph, epsilon)).toThrow(`must be in [0, 1], got ${epsilon}; 5% of the edges is 0.05`);
    }
  });
});

test("half-way cases go to the even number", () => {
  expect([0.5, 1.5, 2.5, 3.5, 2.4999, 2.5001].map(roundHalfToEven)).toEqual([0, 2, 2, 4, 2, 3]);
});

test("a budget is a whole number of flips that the graph has pairs for", () => {
  const undirected = randomGraph(5, 0.5, 0);
  const directed = randomGraph(5, 0.5, 0, { directed: true });
  expect([numPairs(undirected), numPairs(directed)]).toEqual([10, 20]);
  expect(() => checkBudget(undirected, 10)).not.toThrow();
  expect(() => checkBudget(undirected, 11)).toThrow("budget must be a whole number of flips in 0 … 10, got 11");
  expect(() => checkBudget(directed, 20)).not.toThrow();
});
