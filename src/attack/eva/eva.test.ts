import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allPairs } from "../../../test/support/any-constraints.ts";
import { type AttackCase, attackCase } from "../../../test/support/attack-case.ts";
import { denseAccuracy, hostGcn } from "../../../test/support/dense-gcn.ts";
import { entropyObjective, hostScore } from "../../../test/support/host-score.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { BudgetError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { Rgcn, rgcnDefaults } from "../../defense/rgcn.ts";
import { applyFlips, type Flips } from "../../graph/flips.ts";
import type { AttackResult } from "../attack.ts";
import { accuracyObjective, marginObjective, targetedAt } from "../objective.ts";
import { type EvaOptions, eva, resumeEva } from "./eva.ts";

const quick: Partial<EvaOptions> = { epochs: 8, population: 8, offspring: 12, probes: 40 };

function someFlips(graph: AttackCase["graph"], count: number, rng: Rng): Flips {
  const pairs = allPairs(graph);
  const places = rng.shuffle(Int32Array.from(pairs.keys())).slice(0, count);
  return { sources: places.map((k) => pairs[k][0]), targets: places.map((k) => pairs[k][1]) };
}

/** The fewest nodes that any flips within the budget leave right. */
async function fewestRight({ graph, model, nodes }: AttackCase, budget: number): Promise<number> {
  const host = await hostGcn(model);
  const pairs = allPairs(graph);
  let fewest = nodes.length;
  const visit = (chosen: number[]) => {
    const flips = {
      sources: Int32Array.from(chosen, (k) => pairs[k][0]),
      targets: Int32Array.from(chosen, (k) => pairs[k][1]),
    };
    fewest = Math.min(fewest, Math.round(denseAccuracy(host, applyFlips(graph, flips), nodes) * nodes.length));
    if (chosen.length === budget) return;
    for (let k = (chosen.at(-1) ?? -1) + 1; k < pairs.length; k++) visit([...chosen, k]);
  };
  visit([]);
  return fewest;
}

/** What a trace shows of the best individual never rises. */
function expectMonotone({ trace, score }: AttackResult): void {
  const scores = [score.clean, ...trace.map((entry) => entry.score)];
  for (let t = 1; t < scores.length; t++) expect(scores[t]).toBeLessThanOrEqual(scores[t - 1] + 1e-6);
  expect(score.adversarial).toBeLessThanOrEqual(scores[scores.length - 1] + 1e-6);
}

describe("eva", () => {
  test("mostly finds the best of all flips on tiny graphs, and never claims to beat it", async () => {
    let reached = 0;
    const cases = 20;
    for (let seed = 0; seed < cases; seed++) {
      const given = await attackCase(createReference(), seed, { numNodes: 7, density: 0.35, directed: seed % 4 === 0 });
      const budget = 1 + (seed % 2);
      const task = { nodes: given.nodes, budget, rng: new Rng(seed) };
      const { score } = await eva(given.model, given.view, task, quick);
      const best = await fewestRight(given, budget);
      expect(score.adversarial).toBeGreaterThanOrEqual(best);
      if (score.adversarial === best) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(0.9 * cases);
  });

  test("never loses its best individual, whatever it is after", async () => {
    const objectives = [accuracyObjective, marginObjective, targetedAt(1), entropyObjective];
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.boolean(), fc.constantFrom(...objectives), async (seed, directed, objective) => {
        const { model, view, nodes } = await attackCase(createReference(), seed, { directed });
        const task = { nodes, budget: 4, rng: new Rng(seed), objective };
        expectMonotone(await eva(model, view, task, { ...quick, patience: 2 }));
      }),
      { numRuns: 15 },
    );
  });

  test("never returns weaker flips than those it begins with", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 1, max: 6 }), async (seed, count) => {
        const { model, view, graph, nodes } = await attackCase(createReference(), seed);
        const from = someFlips(graph, count, new Rng(seed));
        const task = { nodes, budget: count, rng: new Rng(seed) };
        const { score } = await resumeEva(model, view, task, from, { ...quick, epochs: 1 });
        const seeds = hostScore(accuracyObjective, await hostGcn(model), applyFlips(graph, from), nodes);
        expect(score.adversarial).toBeLessThanOrEqual(seeds);
      }),
      { numRuns: 15 },
    );
  });

  test("goes on from good flips rather than from nothing", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 21, { numNodes: 30, density: 0.12 });
    const task = (seed: number) => ({ nodes, budget: 6, rng: new Rng(seed) });
    const first = await eva(model, view, task(1), { ...quick, epochs: 20 });
    const short = { epochs: 1, population: 2, offspring: 1, probes: 1 };
    const again = await resumeEva(model, view, task(2), first.perturbation.flips, short);
    expect(again.trace[0].score).toBeLessThanOrEqual(first.score.adversarial);
    expect(first.score.adversarial).toBeLessThan(first.score.clean);
  });

  test("does not go on from more flips than the budget, or from pairs that are none", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 3);
    const from = (sources: number[], targets: number[]) =>
      resumeEva(
        model,
        view,
        { nodes, budget: 1, rng: new Rng(0) },
        {
          sources: Int32Array.from(sources),
          targets: Int32Array.from(targets),
        },
      );
    await expect(from([0, 1], [2, 3])).rejects.toThrow(BudgetError);
    await expect(from([5], [5])).rejects.toThrow("self loop");
  });

  test("stops when no node is right any more", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 13, { numNodes: 40, density: 0.1 });
    const all = await eva(model, view, { nodes, budget: 8, rng: new Rng(0) }, quick);
    const lost = [...all.targets].find(({ adversarial }) => !adversarial.correct)!.node;
    const { trace, score } = await eva(model, view, { nodes: [lost], budget: 8, rng: new Rng(0) }, { epochs: 200 });
    expect(score.adversarial).toBe(0);
    expect(trace.length).toBeLessThan(10);
  });

  test("goes below the flips that chance finds", async () => {
    const given = await attackCase(createReference(), 13, { numNodes: 40, density: 0.1 });
    const { model, view, graph, nodes } = given;
    const host = await hostGcn(model);
    const draws = Array.from({ length: 50 }, (_, k) => someFlips(graph, 10, new Rng(k)));
    const lucky = Math.min(
      ...draws.map((flips) => hostScore(accuracyObjective, host, applyFlips(graph, flips), nodes)),
    );
    const { score } = await eva(model, view, { nodes, budget: 10, rng: new Rng(2) }, { ...quick, epochs: 12 });
    expect(score.adversarial).toBeLessThan(lucky);
  });

  test("ends within a generation where each evaluation is a forward pass", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 5);
    let passes = 0;
    const counted = Object.create(model, {
      convolutions: { value: undefined },
      forward: {
        value: (...given: Parameters<typeof model.forward>) => {
          passes++;
          return model.forward(...given);
        },
      },
    });
    const signal = {
      get aborted() {
        return passes > 30;
      },
    };
    const task = { nodes, budget: 4, rng: new Rng(0), signal };
    const { interrupted } = await eva(counted, view, task, { ...quick, probes: 4000 });
    expect(interrupted).toBe(true);
    expect(passes).toBeLessThan(60);
  });
});

describe("eva on a model whose predictions are random", () => {
  test("stays within its budget and reports a fresh evaluation, not a lucky one", async () => {
    const backend = await createWasm({ threads: 1 });
    const { graph, view, nodes } = await attackCase(backend, 8, { numNodes: 60, density: 0.05 });
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const model = new Rgcn(backend, sizes, rgcnDefaults, new Rng(2));
    const { score, trace, perturbation } = await eva(
      model,
      view,
      { nodes, budget: 5, rng: new Rng(1) },
      { ...quick, epochs: 4 },
    );
    expect(perturbation.flips.sources.length).toBeLessThanOrEqual(5);
    expect(trace.length).toBe(4);
    const means = trace.map((entry) => entry.score);
    expect(means.some((mean) => !Number.isInteger(mean))).toBe(true); // of several evaluations
    expect(Number.isInteger(score.adversarial)).toBe(true); // of one that the search has not seen
    await backend.close();
  });
});
