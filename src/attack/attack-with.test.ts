import { afterAll, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import type { Model } from "../nn/model.ts";
import { matmul, type Tensor, tensor } from "../tensor/index.ts";
import { attackWith } from "./attack-with.ts";
import { fgsm } from "./fgsm.ts";
import { grbcd } from "./grbcd.ts";
import { prbcd } from "./prbcd.ts";

const backend = createReference();
afterAll(() => backend.close());

test("an attack that flips more pairs than its budget allows is an error, not a result", async () => {
  const { model, view, nodes } = await attackCase(backend, 1);
  const flips = { sources: Int32Array.of(0, 0), targets: Int32Array.of(1, 2) };
  const attack = (budget: number) =>
    attackWith("greedy", model, view, { nodes, budget, rng: new Rng(0) }, async () => ({ flips, trace: [] }));
  expect((await attack(2)).perturbation.flips).toBe(flips);
  await expect(attack(1)).rejects.toThrow("greedy: a mistake in the attack: it flips 2 pairs with a budget of 1");
});

test.each([
  ["prbcd", prbcd],
  ["grbcd", grbcd],
  ["fgsm", fgsm],
])("%s says what is wrong with a model whose logits do not depend on candidates", async (_, attack) => {
  const { graph, model, view, nodes } = await attackCase(backend, 1);
  const shape = [graph.numFeatures, graph.numClasses];
  const W = tensor(backend, new Float32Array(shape[0] * shape[1]), shape);
  const blind: Model = { ...modelFrame(model), name: "blind", forward: (seen) => matmul(seen.features as Tensor, W) };
  await expect(attack(blind, view, { nodes, budget: 2, rng: new Rng(0) }, {})).rejects.toThrow(
    /^blind: its logits do not depend on candidate edges, although .* through propagate, convolve and degrees/,
  );
});

/** What a model says of itself. */
function modelFrame({ config, parameters, statistics, differentiable }: Model) {
  return { config, parameters, statistics, differentiable, dispose: () => {} };
}
