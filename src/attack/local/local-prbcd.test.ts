import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { flipActions } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { createGdc, gdcDefaults } from "../../nn/models/gdc.ts";
import { Mlp, mlpDefaults } from "../../nn/models/mlp.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { exhaustive } from "./exhaustive.ts";
import { localPrbcd } from "./local-prbcd.ts";
import { type LocalPrbcdOptions, localPrbcdDefaults, resolveLocalPrbcd } from "./local-prbcd-options.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalBudget, LocalTask } from "./local-task.ts";

async function collect(results: AsyncGenerator<LocalResult, void>): Promise<LocalResult[]> {
  const all: LocalResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}

function taskOf(view: GraphView, budget: LocalBudget, rest: Partial<LocalTask> = {}): LocalTask {
  return { nodes: [...view.labels.keys()], budget, rng: new Rng(2), ...rest };
}

function run(model: Model, view: GraphView, budget: LocalBudget, options: Partial<LocalPrbcdOptions> = {}) {
  return collect(localPrbcd(model, view, taskOf(view, budget), options));
}

function actionsOf(view: GraphView, results: readonly LocalResult[]) {
  return results.flatMap(({ perturbation }) => flipActions(hostGraph(view, "test"), perturbation.flips));
}

describe("localPrbcd", () => {
  test("with a budget of one does what brute force does, for every node, also of a directed graph", async () => {
    for (const directed of [false, true]) {
      const config = { normalisation: directed ? "row" : "symmetric" } as const;
      const { model, view } = await attackCase(createReference(), 3, { numNodes: 20, density: 0.15, directed, config });
      const best = await collect(exhaustive(model, view, taskOf(view, { flips: 1 })));
      const found = await run(model, view, { flips: 1 });
      for (const [k, { adversarial }] of found.entries()) {
        expect(adversarial.margin).toBeCloseTo(best[k].adversarial.margin, 6);
      }
    }
  });

  test("is at least as strong as the published attack, which is at least as strong as nothing", async () => {
    const { model, view } = await attackCase(createReference(), 4, { numNodes: 30, density: 0.1 });
    const strong = await run(model, view, { share: 1 });
    const paper = await run(model, view, { share: 1 }, { preset: "paper", epochs: 40, fineTuneEpochs: 10 });
    for (const [k, { clean, adversarial }] of strong.entries()) {
      expect(adversarial.margin).toBeLessThanOrEqual(paper[k].adversarial.margin + 1e-6);
      expect(paper[k].adversarial.probabilityMargin).toBeLessThanOrEqual(clean.probabilityMargin + 1e-9);
    }
  });

  test("leaves edges alone if it may only insert, and removes some otherwise", async () => {
    const { model, view } = await attackCase(createReference(), 5, { numNodes: 20, density: 0.3 });
    expect(actionsOf(view, await run(model, view, { flips: 3 }))).toContain("remove");
    expect(actionsOf(view, await run(model, view, { flips: 3 }, { insertOnly: true }))).not.toContain("remove");
  });

  test("finds the same with whole passes as with patched ones", async () => {
    const { model, view } = await attackCase(createReference(), 6, { numNodes: 20 });
    const options = { epochs: 15, evaluations: 200 };
    const patched = await run(model, view, { flips: 2 }, options);
    const whole = await run(model, view, { flips: 2 }, { ...options, patched: false });
    for (const [k, { adversarial }] of patched.entries()) {
      expect(adversarial.margin).toBeCloseTo(whole[k].adversarial.margin, 4);
    }
  });

  test("attacks towards a class if asked to", async () => {
    const { model, view, graph } = await attackCase(createReference(), 7, { numNodes: 20, density: 0.15 });
    const towards = 1;
    const nodes = [...graph.labels.keys()].filter((node) => graph.labels[node] !== towards);
    const task = taskOf(view, { flips: 1 }, { nodes, towards });
    const best = await collect(exhaustive(model, view, task));
    const found = await collect(localPrbcd(model, view, task));
    expect(found.map(({ success }) => success)).toEqual(best.map(({ success }) => success));
  });

  test("works on a model that mixes neighbours by PageRank", async () => {
    const backend = createReference();
    const { view, graph } = await attackCase(backend, 8);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const model = createGdc(backend, sizes, { ...gdcDefaults, hidden: [4], k: 8 }, new Rng(0));
    const results = await collect(
      localPrbcd(model, view, taskOf(view, { flips: 2 }, { nodes: [0, 5] }), { epochs: 6, evaluations: 20 }),
    );
    for (const { clean, adversarial } of results) expect(adversarial.margin).toBeLessThan(clean.margin);
  });

  test("works with blocks that are smaller than the graph", async () => {
    const { model, view } = await attackCase(createReference(), 9, { numNodes: 40, density: 0.1 });
    const results = await run(model, view, { flips: 2 }, { blockSize: 10, epochs: 20 });
    const weaker = results.filter(({ clean, adversarial }) => adversarial.margin < clean.margin);
    expect(weaker.length).toBeGreaterThan(30);
    await expect(run(model, view, { flips: 11 }, { blockSize: 10 })).rejects.toThrow(
      "local-prbcd: budget 11 must be at most the block size, 10; raise blockSize",
    );
  });

  test("refuses models without gradients by edges", async () => {
    const backend = createReference();
    const { view } = await attackCase(backend, 1);
    const model = new Mlp(backend, { features: 3, classes: 3 }, mlpDefaults, new Rng(0));
    await expect(run(model, view, { flips: 1 })).rejects.toThrow("cannot be differentiated by edges");
  });
});

describe("the options of localPrbcd", () => {
  test("are those of the preset unless they are given", () => {
    expect(resolveLocalPrbcd({})).toEqual(localPrbcdDefaults);
    const paper = resolveLocalPrbcd({ preset: "paper", epochs: 500, fineTuneEpochs: 100 });
    expect(paper).toMatchObject({ epochs: 500, fineTuneEpochs: 100, blockSize: 10_000, denominator: "constant" });
    expect(resolveLocalPrbcd({ preset: "paper" })).toMatchObject({ epochs: 150, fineTuneEpochs: 50 });
    expect(resolveLocalPrbcd({ epochs: 11 }).fineTuneEpochs).toBe(6);
  });

  test("are refused where a preset would ignore them", () => {
    expect(() => resolveLocalPrbcd({ learningRateFactor: 1 })).toThrow(
      "local-prbcd: the preset strong has no learningRateFactor; leave it out or choose another preset",
    );
    expect(() => resolveLocalPrbcd({ preset: "paper", evaluations: 5 })).toThrow("the preset paper has no evaluations");
    expect(() => resolveLocalPrbcd({ epochs: 5, fineTuneEpochs: 6 })).toThrow("must be at most epochs, 5");
  });
});
