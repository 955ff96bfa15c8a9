import { expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { prbcd } from "../attack/prbcd.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { countingBackend } from "./counting-backend.ts";

test("an attack on a backend that counts is the attack on the backend itself", async () => {
  const attack = async (backend: ReturnType<typeof createReference>) => {
    const { model, view, nodes } = await attackCase(backend, 27, { numNodes: 40, density: 0.2 });
    const task = { nodes, budget: 16, rng: new Rng(4) };
    const { perturbation, trace } = await prbcd(model, view, task, { epochs: 8, fineTuneEpochs: 2, blockSize: 300 });
    return { perturbation, trace };
  };
  const { backend, needs } = countingBackend(createReference());
  expect(await attack(backend)).toEqual(await attack(createReference()));
  expect(needs.words).toBeGreaterThan(300);
});
