import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { defaultsOf } from "../../core/options/index.ts";
import { Rng } from "../../core/rng.ts";
import { createJaccardGcn, jaccardGcnOptions } from "../../defense/jaccard-gcn.ts";
import { auto, resumeAuto } from "./auto.ts";
import { Deadline } from "./deadline.ts";

const quick = { epochs: 6, rounds: 3, blockSize: 60 };

describe("auto", () => {
  test("returns the strongest of its stages", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 4, { numNodes: 24, density: 0.15 });
    const { stages, score } = await auto(model, view, { nodes, budget: 4, rng: new Rng(0) }, quick);
    expect(
      stages!.map(({ name }) =>
        name.replace(/^(prbcd|grbcd|nothing)( \+ polish)? \+ eva/, "best + eva").replace(/^(prbcd|grbcd) \+/, "best +"),
      ),
    ).toEqual(["prbcd", "grbcd", "best + polish", "nothing + polish", "best + eva"]);
    expect(score.adversarial).toBe(Math.min(...stages!.map((stage) => stage.score)));
  });

  test("takes over flips of surrogates where the model has no gradients", async () => {
    const backend = createReference();
    const { model: gcn, view, nodes, graph } = await attackCase(backend, 4, { numNodes: 24, density: 0.15 });
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const model = createJaccardGcn(backend, sizes, defaultsOf(jaccardGcnOptions), new Rng(2));
    const task = { nodes, budget: 4, rng: new Rng(0), surrogates: [gcn] };
    const { stages } = await auto(model, view, task, quick);
    expect(stages!.slice(0, 2).map(({ name }) => name)).toEqual(["prbcd on gcn", "grbcd on gcn"]);
  });

  test("never loses what a smaller budget had achieved", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 9, { numNodes: 24, density: 0.15 });
    let found = await auto(model, view, { nodes, budget: 1, rng: new Rng(0) }, quick);
    for (const budget of [2, 3, 5]) {
      const next = await resumeAuto(model, view, { nodes, budget, rng: new Rng(0) }, found.perturbation.flips, quick);
      expect(next.score.adversarial).toBeLessThanOrEqual(found.score.adversarial);
      found = next;
    }
  });

  test("ends when its time is over, with what it has", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 4, { numNodes: 24, density: 0.15 });
    const options = { ...quick, rounds: 1_000_000, epochs: 100_000, seconds: 0.3 };
    const { stages, score } = await auto(model, view, { nodes, budget: 4, rng: new Rng(0) }, options);
    expect(stages!.length).toBeGreaterThanOrEqual(1);
    expect(score.adversarial).toBeLessThanOrEqual(score.clean);
  });
});

describe("Deadline", () => {
  test("has no limit at 0 seconds, and hands on the signal of the caller", () => {
    expect(new Deadline(undefined, 0).aborted).toBe(false);
    expect(new Deadline({ aborted: true }, 0).part(0.5).aborted).toBe(true);
  });
  test("ends a part before the whole", async () => {
    const deadline = new Deadline(undefined, 10);
    expect(deadline.part(0).aborted).toBe(true);
    expect(deadline.aborted).toBe(false);
  });
});
