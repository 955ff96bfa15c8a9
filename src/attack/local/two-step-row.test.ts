import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { applyFlips, noFlips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import { Gcn, linearGcnDefaults } from "../../nn/models/gcn.ts";
import { Sgc, sgcDefaults } from "../../nn/models/sgc.ts";
import { toDevice } from "../../tensor/index.ts";
import { toggleFlips } from "../choose-flips.ts";
import { linearTwoStep } from "./linear-two-step.ts";
import { nodeLogits } from "./node-logits.ts";
import { TwoStepRow } from "./two-step-row.ts";

const backend = createReference();
const sizes = { features: 3, classes: 3 };

async function linearModelOf(graph: Graph) {
  const model = new Gcn(backend, sizes, { ...linearGcnDefaults, hidden: [4], bias: false }, new Rng(1));
  return { model, linear: await linearTwoStep("test", model, toDevice(backend, graph)) };
}

/** Two nodes, the smaller first. */
const anyPair = fc.tuple(fc.nat(9), fc.nat(8)).map(([a, b]): [number, number] => (b < a ? [b, a] : [a, b + 1]));

describe("TwoStepRow", () => {
  test("agrees with the whole model after any flips and one more, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1e6),
        fc.constantFrom(0.1, 0.3, 0.6),
        fc.nat(9),
        fc.array(anyPair, { maxLength: 5 }),
        anyPair,
        async (seed, density, node, pairs, last) => {
          const graph = randomGraph(10, density, seed);
          const { model, linear } = await linearModelOf(graph);
          const row = new TwoStepRow(linear, node);
          let flips = noFlips;
          for (const pair of pairs) {
            row.flip(...pair);
            flips = toggleFlips(flips, flipsOf(pair));
          }
          const expected = async (made = flips) =>
            (await nodeLogits(model, toDevice(backend, applyFlips(graph, made)), [node]))[0];
          expectClose(row.logits, await expected());
          expectClose(row.logitsAfter(...last), await expected(toggleFlips(flips, flipsOf(last))));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("returns to the clean graph when flips are made twice", async () => {
    const { linear } = await linearModelOf(randomGraph(10, 0.3, 4));
    const row = new TwoStepRow(linear, 2);
    const before = row.logits;
    const pairs: [number, number][] = [
      [1, 2],
      [2, 5],
    ];
    for (const pair of [...pairs, ...pairs]) row.flip(...pair);
    expectClose(row.logits, before);
    expect(row.degree(2)).toBe(new TwoStepRow(linear, 2).degree(2));
  });
});

describe("linearTwoStep", () => {
  test("reads SGC too, with its bias", async () => {
    const graph = randomGraph(10, 0.3, 4);
    const model = new Sgc(backend, sizes, sgcDefaults, new Rng(1));
    const linear = await linearTwoStep("test", model, toDevice(backend, graph));
    const [expected] = await nodeLogits(model, toDevice(backend, graph), [3]);
    expectClose(
      new TwoStepRow(linear, 3).logits.map((z, c) => z + linear.bias![c]),
      expected,
    );
  });

  test("refuses models that are not linear or not of two steps, and directed graphs", async () => {
    const view = toDevice(backend, randomGraph(6, 0.3, 1));
    const relu = new Gcn(backend, sizes, { ...linearGcnDefaults, activation: "relu" }, new Rng(0));
    const three = new Gcn(backend, sizes, { ...linearGcnDefaults, hidden: [4, 4] }, new Rng(0));
    const long = new Sgc(backend, sizes, { steps: 3 }, new Rng(0));
    for (const model of [relu, three, long]) {
      await expect(linearTwoStep("nettack", model, view)).rejects.toThrow(
        `nettack: needs a linear model of two steps to find flips on, linear-gcn or sgc; ${model.name} is none`,
      );
    }
    const directed = toDevice(backend, randomGraph(6, 0.3, 1, { directed: true }));
    const sgc = new Sgc(backend, sizes, sgcDefaults, new Rng(0));
    await expect(linearTwoStep("nettack", sgc, directed)).rejects.toThrow("attacks undirected graphs only");
  });
});

function flipsOf([a, b]: readonly [number, number]) {
  return { sources: Int32Array.of(a), targets: Int32Array.of(b) };
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  for (let c = 0; c < expected.length; c++) expect(actual[c]).toBeCloseTo(expected[c], 6);
}
