import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { BudgetError } from "../core/errors.ts";
import { Rng } from "../core/rng.ts";
import { flipActions } from "../graph/flips.ts";
import { Graph } from "../graph/graph.ts";
import { type ConstraintRules, Constraints } from "./constraints/constraints.ts";
import { diceFlips, diceFlipsWithin } from "./dice.ts";

describe.each([false, true])("DICE on a graph that is directed: %s", (directed) => {
  const graph = randomGraph(40, 0.3, 1, { directed });

  test("removes edges inside classes and inserts edges between them, in the asked proportion", () => {
    for (const [budget, addRatio, added] of [
      [10, 0.6, 6],
      [11, 0.6, 6],
      [7, 0, 0],
      [7, 1, 7],
    ] as const) {
      const flips = diceFlips(graph, budget, addRatio, new Rng(budget));
      const actions = flipActions(graph, flips);
      expect(actions.length).toBe(budget);
      expect(actions.filter((action) => action === "add").length).toBe(added);
      for (const [k, action] of actions.entries()) {
        const same = graph.labels[flips.sources[k]] === graph.labels[flips.targets[k]];
        expect(same).toBe(action === "remove");
      }
    }
  });

  test("leaves nodes of unknown class alone", () => {
    const half = new Graph({ ...graph, labels: graph.labels.map((label, node) => (node < 20 ? label : -1)) });
    const { sources, targets } = diceFlips(half, 20, 0.5, new Rng(0));
    for (const node of [...sources, ...targets]) expect(node).toBeLessThan(20);
  });

  test("refuses more removals than there are edges inside classes", () => {
    expect(() => diceFlips(graph, 700, 0, new Rng(0))).toThrow(BudgetError);
    expect(() => diceFlips(graph, 700, 0, new Rng(0))).toThrow("lower the budget or raise addRatio");
  });

  test("gives up in the end where no further edge between classes can be inserted", () => {
    const alike = new Graph({ ...graph, labels: new Int32Array(40) });
    expect(() => diceFlips(alike, 5, 1, new Rng(0))).toThrow("dice: found only 0 of 5 flips");
  });
});

describe("DICE within constraints", () => {
  const graph = randomGraph(40, 0.3, 1);
  const actionsOf = (rules: ConstraintRules, budget: number, addRatio = 0.6) =>
    flipActions(graph, diceFlipsWithin(new Constraints(graph, rules), budget, addRatio, new Rng(1)));

  test("spends the whole budget on what it may do, and its share on each if it may do both", () => {
    expect(actionsOf({ only: "additions" }, 9)).toEqual(new Array(9).fill("add"));
    expect(actionsOf({ only: "removals" }, 9)).toEqual(new Array(9).fill("remove"));
    expect(actionsOf({ protectedNodes: [1] }, 10).filter((action) => action === "add").length).toBe(6);
  });

  test("finds pairs between two small sets", () => {
    const between = [
      [0, 1, 2, 3],
      [20, 21, 22, 23],
    ] as const;
    const { sources, targets } = diceFlipsWithin(new Constraints(graph, { between }), 4, 1, new Rng(1));
    expect(sources.length).toBe(4);
    for (const [k, i] of sources.entries()) expect(i < 4 && targets[k] >= 20 && targets[k] < 24).toBe(true);
  });

  test("stops where nothing more is left", () => {
    expect(
      actionsOf({ perNode: Int32Array.from({ length: 40 }, (_, node) => (node < 6 ? 1 : 0)) }, 20).length,
    ).toBeLessThan(4);
  });
});

test("DICE reaches every removable edge", () => {
  const graph = randomGraph(12, 0.5, 2, { numClasses: 1 });
  const { sources } = diceFlips(graph, graph.numEdges, 0, new Rng(0));
  expect(sources.length).toBe(graph.numEdges);
});
