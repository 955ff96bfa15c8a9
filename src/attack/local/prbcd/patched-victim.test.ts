import { describe, expect, test } from "vitest";
import { attackCase } from "../../../../test/support/attack-case.ts";
import { createReference } from "../../../backend/reference/reference.ts";
import { Rng } from "../../../core/rng.ts";
import { rowsOfGraph } from "../../../graph/graph-rows.ts";
import type { Model } from "../../../nn/model.ts";
import type { GcnConfig } from "../../../nn/models/gcn.ts";
import { createGdc, gdcDefaults } from "../../../nn/models/gdc.ts";
import { Sgc } from "../../../nn/models/sgc.ts";
import { type GraphView, hostGraph } from "../../../tensor/index.ts";
import { margin, tanhMargin } from "../../losses.ts";
import type { Influence, LocalTarget } from "../local-task.ts";
import { cleanStack } from "../patched/clean-stack.ts";
import { CandidateSpace, type NodeBlock } from "./candidate-space.ts";
import { OverlayVictim } from "./overlay-victim.ts";
import { PatchedVictim } from "./patched-victim.ts";
import type { RelaxedVictim } from "./relaxed-node.ts";
import { relaxedSearch } from "./relaxed-search.ts";
import { adaptingStep, publishedStep } from "./step-size.ts";

const floor = 1e-7;

/** The clean graph is normalised in float32, whatever the backend. */
const DIGITS = 6;

function targetAt(view: GraphView, node: number, influence: Influence = "direct"): LocalTarget {
  return { node, label: view.labels[node], degree: 0, budget: 2, towards: null, influence, rng: new Rng(3) };
}

function spaceOf(view: GraphView, target: LocalTarget): CandidateSpace {
  const graph = hostGraph(view, "test");
  return new CandidateSpace({ ...rowsOfGraph(graph), directed: graph.directed }, target);
}

/** Every third candidate with a weight of its own, the others at the floor. */
function someWeights({ signs }: NodeBlock, rng: Rng): Float64Array {
  return signs.map(() => (rng.uniform() < 0.3 ? 0.1 + 0.8 * rng.uniform() : floor));
}

async function victims(model: Model, view: GraphView): Promise<{ overlay: RelaxedVictim; patched: RelaxedVictim }> {
  const stack = await cleanStack(model, view, "gradients");
  return { overlay: new OverlayVictim(model, view), patched: new PatchedVictim(stack!) };
}

/** Largest difference between the two ways to take a step, at several nodes. */
async function expectSameSteps(model: Model, view: GraphView, influence: Influence): Promise<void> {
  const { overlay, patched } = await victims(model, view);
  for (const node of [0, 3, 7]) {
    const target = targetAt(view, node, influence);
    const block = spaceOf(view, target).all();
    const nodes = [overlay, patched].map((victim) => victim.relaxed(target, { loss: tanhMargin, floor }));
    const weights = someWeights(block, new Rng(node));
    const [expected, actual] = await Promise.all(
      nodes.map(async (relaxed) => {
        await relaxed.lay(block);
        return relaxed.step(weights);
      }),
    );
    expect(actual.loss).toBeCloseTo(expected.loss, DIGITS);
    for (const [c, logit] of Array.from(expected.logits).entries()) expect(actual.logits[c]).toBeCloseTo(logit, DIGITS);
    for (const [e, slope] of expected.gradient.entries()) expect(actual.gradient[e]).toBeCloseTo(slope, DIGITS);
    for (const relaxed of nodes) relaxed.dispose();
  }
  overlay.dispose();
}

describe("a patched pass", () => {
  const cases: [string, { directed: boolean; config: Partial<GcnConfig> }][] = [
    ["one layer", { directed: false, config: { hidden: [] } }],
    ["two layers", { directed: false, config: { hidden: [4] } }],
    [
      "two layers without biases or relu",
      { directed: false, config: { hidden: [4], bias: false, activation: "identity" } },
    ],
    ["three layers with batch norm", { directed: false, config: { hidden: [4, 5], batchNorm: true } }],
    ["two layers normalised by row", { directed: false, config: { hidden: [4], normalisation: "row" } }],
    [
      "two layers on a directed graph normalised by row",
      { directed: true, config: { hidden: [4], normalisation: "row" } },
    ],
    ["three layers on a directed graph normalised by column", { directed: true, config: { hidden: [4, 3] } }],
  ];
  test.each(cases)("has the logits and gradients of a whole one: %s", async (_, options) => {
    const { model, view } = await attackCase(createReference(), 5, options);
    for (const [k, statistic] of [...model.statistics.values()].entries()) {
      statistic.assign(new Float64Array(statistic.size).fill(0.7 + 0.2 * k)); // batch norm that does something
    }
    await expectSameSteps(model, view, "direct");
  });

  test.each<Influence>(["influencer", "both"])("has them where flips are at neighbours: %s", async (influence) => {
    const { model, view } = await attackCase(createReference(), 6, { numNodes: 10, config: { hidden: [4, 3] } });
    await expectSameSteps(model, view, influence);
  });

  test("has those of SGC", async () => {
    const backend = createReference();
    const { view, graph } = await attackCase(backend, 7);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    for (const steps of [1, 2, 3])
      await expectSameSteps(new Sgc(backend, sizes, { steps }, new Rng(1)), view, "direct");
  });

  test("gives discrete graphs the logits of a rebuilt graph", async () => {
    const { model, view } = await attackCase(createReference(), 8);
    const { overlay, patched } = await victims(model, view);
    const target = targetAt(view, 2);
    const { sources, targets } = spaceOf(view, target).all();
    for (let k = 0; k + 3 < sources.length; k++) {
      const flips = { sources: sources.slice(k, k + 3), targets: targets.slice(k, k + 3) };
      const [expected, actual] = await Promise.all(
        [overlay, patched].map((victim) => victim.relaxed(target, { loss: margin, floor }).logitsAfter(flips)),
      );
      for (const [c, logit] of Array.from(expected).entries()) expect(actual[c]).toBeCloseTo(logit, DIGITS);
    }
    overlay.dispose();
  });

  test("is not there for models that mix neighbours in another way", async () => {
    const backend = createReference();
    const { view, graph } = await attackCase(backend, 1);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    expect(
      await cleanStack(createGdc(backend, sizes, { ...gdcDefaults, hidden: [4] }, new Rng(0)), view, "logits"),
    ).toBeNull();
  });

  test("leaves the trace of an attack as it is, with a block that changes and with one of all candidates", async () => {
    const { model, view } = await attackCase(createReference(), 9, { numNodes: 30 });
    const { overlay, patched } = await victims(model, view);
    for (const blockSize of [12, 1000]) {
      const traceOf = async (victim: RelaxedVictim) => {
        const target = targetAt(view, 4);
        const node = victim.relaxed(target, { loss: margin, floor });
        const resamplingEpochs = 10;
        const stepSize =
          blockSize === 12
            ? publishedStep({ learningRateFactor: 0.5, budget: 2, nodesPerCandidate: 2.5, resamplingEpochs })
            : adaptingStep(1, resamplingEpochs);
        const space = spaceOf(view, target);
        const task = { space, goal: target, budget: 2, blockSize, epochs: 20, resamplingEpochs, floor, stepSize };
        const { trace } = await relaxedSearch(node, { ...task, rng: new Rng(1) });
        node.dispose();
        return trace;
      };
      const expected = await traceOf(overlay);
      const actual = await traceOf(patched);
      expect(actual.length).toBe(expected.length);
      expect(expected.some(({ distance }) => distance < expected[0].distance)).toBe(true);
      for (const [t, { loss, distance }] of expected.entries()) {
        expect(actual[t].loss).toBeCloseTo(loss, DIGITS);
        expect(actual[t].distance).toBeCloseTo(distance, DIGITS);
      }
    }
    overlay.dispose();
  });
});
