import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { hostGcn } from "../../../test/support/dense-gcn.ts";
import { hostScore } from "../../../test/support/host-score.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { BudgetError } from "../../core/errors.ts";
import { defaultsOf } from "../../core/options/index.ts";
import { Rng } from "../../core/rng.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { applyFlips, type Flips, noFlips } from "../../graph/flips.ts";
import { FlipSet } from "../choose-flips.ts";
import { margin } from "../losses.ts";
import { accuracyObjective, customObjective, marginObjective, targetedAt } from "../objective.ts";
import { polish } from "./polish.ts";

const objectives = [accuracyObjective, marginObjective, targetedAt(1), customObjective("own margin", margin)];

/** Random pairs, each once. */
function randomFlips(numNodes: number, count: number, seed: number): Flips {
  const rng = new Rng(seed);
  const chosen = new FlipSet();
  while (chosen.size < count) {
    const i = rng.integer(numNodes);
    const j = rng.integer(numNodes);
    if (i < j) chosen.add(i, j);
  }
  return chosen.toFlips();
}

describe("polish", () => {
  test("never weakens the flips that it is given, and stays within the budget (B1, B6)", async () => {
    const anyTask = fc.record({
      seed: fc.nat(1e6),
      directed: fc.boolean(),
      budget: fc.integer({ min: 1, max: 8 }),
      objective: fc.constantFrom(...objectives),
    });
    await fc.assert(
      fc.asyncProperty(anyTask, async ({ seed, directed, budget, objective }) => {
        const { model, view, nodes } = await attackCase(createReference(), seed, { directed });
        const task = { nodes, budget, rng: new Rng(seed), objective };
        const from = randomFlips(nodes.length, budget, seed);
        const given = await polish(model, view, task, from, { rounds: 0 });
        expect(given.perturbation.flips).toEqual(from);
        const result = await polish(model, view, task, from, { rounds: 3, blockSize: 40 });
        expect(result.perturbation.flips.sources.length).toBeLessThanOrEqual(budget);
        expect(result.score.adversarial).toBeLessThanOrEqual(given.score.adversarial + 1e-6);
        const { scores } = result.polish!;
        for (let r = 1; r < scores.length; r++) expect(scores[r]).toBeLessThanOrEqual(scores[r - 1]);
        expect(result.score.adversarial).toBeCloseTo(scores[scores.length - 1], 5); // B3: what it saw is what there is
      }),
      { numRuns: 30 },
    );
  });

  test("finds the best single flip from nothing, and mostly the best two", async () => {
    let reached = 0;
    for (let seed = 0; seed < 20; seed++) {
      const given = await attackCase(createReference(), seed, { numNodes: 7, density: 0.4 });
      const { model, view, graph, nodes } = given;
      const host = await hostGcn(model);
      const scoreOf = (pairs: readonly (readonly [number, number])[]) => {
        const flips = { sources: Int32Array.from(pairs, ([i]) => i), targets: Int32Array.from(pairs, ([, j]) => j) };
        return hostScore(accuracyObjective, host, applyFlips(graph, flips), nodes);
      };
      const pairs = nodes.flatMap((i) => nodes.filter((j) => i < j).map((j) => [i, j] as const));
      const one = Math.min(scoreOf([]), ...pairs.map((pair) => scoreOf([pair])));
      const two = Math.min(one, ...pairs.flatMap((a, k) => pairs.slice(k + 1).map((b) => scoreOf([a, b]))));
      const task = { nodes, rng: new Rng(seed) };
      const options = { rounds: 6, blockSize: 21 };
      expect((await polish(model, view, { ...task, budget: 1 }, noFlips, options)).score.adversarial).toBe(one);
      const { score } = await polish(model, view, { ...task, budget: 2 }, noFlips, options);
      expect(score.adversarial).toBeGreaterThanOrEqual(two);
      if (score.adversarial === two) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(17);
  });

  test("drops flips that do nothing and spends them better", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 8, { numNodes: 30, density: 0.1 });
    const task = { nodes, budget: 6, rng: new Rng(0) };
    const options = { rounds: 4, blockSize: 400 };
    const { polish: report } = await polish(model, view, task, randomFlips(30, 6, 1), options);
    expect(report!.scores.at(-1)).toBeLessThan(report!.scores[0]);
  });

  test("works for every model, with gradients or without", async () => {
    const backend = await createWasm({ threads: 1 });
    const { graph, view, nodes } = await attackCase(backend, 5, { numNodes: 40, density: 0.1 });
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    for (const [name, kind] of Object.entries(modelKinds)) {
      if (name === "rgcn") continue; // random at evaluation: what it scores is another number every time
      const model = kind.create(backend, sizes, defaultsOf(kind.options), new Rng(3));
      const task = { nodes, budget: 5, rng: new Rng(1) };
      const { score } = await polish(model, view, task, noFlips, { rounds: 2, blockSize: 200, candidates: 50 });
      expect(score.adversarial, name).toBeLessThanOrEqual(score.clean);
      model.dispose();
    }
    await backend.close();
  });

  test("ends in time, and when it is asked to", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 4);
    const task = { nodes, budget: 3, rng: new Rng(0) };
    const limited = await polish(model, view, task, noFlips, { rounds: 1_000_000, seconds: 0.05, blockSize: 40 });
    expect(limited.polish!.scores.length).toBeLessThan(1_000_000);
    const stopped = await polish(model, view, { ...task, signal: { aborted: true } }, noFlips, { rounds: 10 });
    expect(stopped.interrupted).toBe(true);
  });

  test("refuses more flips than the budget allows", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 4);
    const from = { sources: Int32Array.of(0, 1), targets: Int32Array.of(2, 3) };
    const refused = polish(model, view, { nodes, budget: 1, rng: new Rng(0) }, from);
    await expect(refused).rejects.toThrow(
      new BudgetError("polish: 2 flips are made already, more than the budget of 1"),
    );
  });
});
