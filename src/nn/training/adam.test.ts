import { expect, test } from "vitest";
import { expectValues } from "../../../test/support/dense.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { tensor } from "../../tensor/index.ts";
import { Adam } from "./adam.ts";

const backend = createReference();

test("Adam follows the published update with bias correction, decay added to the gradient", async () => {
  const learningRate = 0.1;
  const weightDecay = 0.01;
  const parameter = tensor(backend, [1, -2], [2]);
  const adam = new Adam([parameter], { learningRate, weightDecay });
  const x = [1, -2];
  const m = [0, 0];
  const v = [0, 0];
  for (let t = 1; t <= 5; t++) {
    const gradient = [0.5 * t, -1 / t];
    adam.update([tensor(backend, gradient, [2])]);
    for (const e of [0, 1]) {
      const g = gradient[e] + weightDecay * x![e];
      m![e] = 0.9 * m![e] + 0.1 * g;
      v![e] = 0.999 * v![e] + 0.001 * g * g;
      const mHat = m![e] / (1 - 0.9 ** t);
      const vHat = v![e] / (1 - 0.999 ** t);
      x![e] -= (learningRate * mHat) / (Math.sqrt(vHat) + 1e-8);
    }
    await expectValues(parameter, x!);
  }
});

test("the first step of Adam has the size of the learning rate, whatever the gradient", async () => {
  const parameter = tensor(backend, [0, 0], [2]);
  new Adam([parameter], { learningRate: 0.01, weightDecay: 0 }).update([tensor(backend, [1e-3, -1e5], [2])]);
  await expectValues(parameter, [-0.01, 0.01], 1e-6);
});

test("Adam gives its memory back", () => {
  const fresh = createReference();
  const parameter = tensor(fresh, [1, 2, 3], [3]);
  const before = fresh.memory.current;
  const adam = new Adam([parameter], { learningRate: 0.1, weightDecay: 0 });
  expect(fresh.memory.current).toBeGreaterThan(before);
  adam.dispose();
  expect(fresh.memory.current).toBe(before);
});
