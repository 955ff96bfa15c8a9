import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { makeBlock } from "../../../test/support/block.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { noFlips } from "../../graph/flips.ts";
import { Constants, relax } from "../../tensor/index.ts";
import { margin } from "../losses.ts";
import { CandidateGradient } from "./candidate-gradient.ts";
import { candidateFlips } from "./candidates.ts";
import type { LocalTarget } from "./local-task.ts";
import { distanceToGoal } from "./node-outcome.ts";

describe("CandidateGradient", () => {
  const backend = createReference();

  test.each([null, 2])("has the slopes that finite differences predict, towards class %s", async (towards) => {
    const { graph, view, model } = await attackCase(backend, 6);
    const node = graph.labels.findIndex((label) => label !== 2);
    const label = graph.labels[node];
    const target: LocalTarget = { node, label, degree: 0, budget: 1, towards, influence: "direct", rng: new Rng(0) };
    const candidates = candidateFlips(graph, target);
    const gradient = new CandidateGradient(model, view, margin);
    const slopes = await gradient.at(target, noFlips, candidates);
    gradient.dispose();
    const lossWith = async (k: number, weight: number) => {
      const pair = { sources: [candidates.sources[k]], targets: [candidates.targets[k]], weights: [weight] };
      const relaxed = relax(view, makeBlock(backend, graph, pair), 0);
      const logits = model.forward(relaxed, { constants: new Constants(), dropout: null });
      const classes = logits.shape[1];
      const row = (await logits.read()).slice(node * classes, (node + 1) * classes);
      return -distanceToGoal(row, label, towards);
    };
    const step = 1e-3;
    for (let k = 0; k < slopes.length; k++) {
      const ahead = await lossWith(k, 2 * step);
      const near = await lossWith(k, step);
      const here = await lossWith(k, 0);
      expect(slopes[k]).toBeCloseTo((4 * near - 3 * here - ahead) / (2 * step), 3); // weights below 0 have no meaning
    }
  });
});
