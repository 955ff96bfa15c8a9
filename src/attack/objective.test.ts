import { describe, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { IntTensor, logSoftmax, mean, mul, softmax, tensor } from "../tensor/index.ts";
import { ce, margin, tanhMargin } from "./losses.ts";
import { accuracyObjective, customObjective, marginObjective, type Objective, targetedAt } from "./objective.ts";
import { prbcd } from "./prbcd.ts";

const backend = createReference();

/** Three nodes of classes 0, 0 and 1: right by 1.5, wrong by 1.25, right by 2. */
const logits = tensor(backend, [2, 0.5, -1, -0.25, 1, 0.75, 0, 3, 1], [3, 3]);
const labels = IntTensor.from(backend, [0, 0, 1]);
const scoreOf = ({ score }: Objective) => score(logits, labels).item();

describe("the score of an objective", () => {
  test("of accuracy is the number of nodes that are right", async () => {
    expect(await scoreOf(accuracyObjective)).toBe(2);
  });
  test("of the margin is its mean", async () => {
    expect(await scoreOf(marginObjective)).toBeCloseTo((1.5 - 1.25 + 2) / 3, 12);
  });
  test("of a targeted attack is the number of nodes outside the class, whatever their labels", async () => {
    expect(await Promise.all([0, 1, 2].map((target) => scoreOf(targetedAt(target))))).toEqual([2, 1, 3]);
  });
  test("of a function of one's own is its negative", async () => {
    expect(await scoreOf(customObjective("ce", ce))).toBeCloseTo(-(await ce(logits, labels).item()), 12);
  });
});

describe("the loss of an objective", () => {
  test("towards a class is the tanh of how far it is ahead, on average", async () => {
    const ahead = [0.5 - 2, 1 - 0.75, 3 - 1];
    const expected = ahead.reduce((sum, x) => sum + Math.tanh(x), 0) / 3;
    expect(await targetedAt(1).loss!(logits, labels).item()).toBeCloseTo(expected, 12);
  });
  test("towards a class has the gradient that finite differences predict", async () => {
    await expectGradient((z) => targetedAt(2).loss!(z, labels), [randomTensor(backend, [3, 3], 4)], 7);
  });
  test("is the margin for the margin, and that of the attack for accuracy", () => {
    expect(marginObjective.loss).toBe(margin);
    expect(accuracyObjective.loss).toBeNull();
  });
});

test("a class is a number from 0 that the model has", async () => {
  expect(() => targetedAt(-1)).toThrow("targetedAt: a class is a number from 0, got -1");
  expect(() => targetedAt(0.5)).toThrow("got 0.5");
  const { model, view, nodes } = await attackCase(createReference(), 3);
  const refused = prbcd(model, view, { nodes, budget: 2, rng: new Rng(0), objective: targetedAt(9) });
  await expect(refused).rejects.toThrow("targeted:9: there is no class 9 among 3");
});

describe("an attack with an objective", () => {
  const task = { budget: 6, rng: new Rng(2) };
  const options = { blockSize: 200, epochs: 20, fineTuneEpochs: 4 };

  test("towards a class leads more nodes there than one that only confuses", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 13, { numNodes: 30, density: 0.1 });
    const untargeted = await prbcd(model, view, { ...task, nodes }, options);
    let gain = 0;
    for (const target of [0, 1, 2]) {
      const objective = targetedAt(target);
      const targeted = await prbcd(model, view, { ...task, nodes, objective }, options);
      const outside = [...targeted.targets].filter(({ adversarial }) => adversarial.prediction !== target).length;
      expect(targeted.score).toMatchObject({ objective: `targeted:${target}`, adversarial: outside });
      const missed = [...untargeted.targets].filter(({ adversarial }) => adversarial.prediction !== target).length;
      expect(outside).toBeLessThanOrEqual(targeted.score.clean);
      gain += missed - outside;
    }
    expect(gain).toBeGreaterThan(0);
  });

  test("of one's own climbs that function", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 13, { numNodes: 30, density: 0.1 });
    const unsure = customObjective("entropy", (z) => mean(mul(softmax(z), logSoftmax(z)), -1));
    const { score, trace } = await prbcd(model, view, { ...task, nodes, objective: unsure }, options);
    expect(score.adversarial).toBeLessThan(score.clean);
    for (const entry of trace) expect(entry.loss).toBeCloseTo(-entry.score, 12);
    expect(trace[0].accuracy).toBeNull();
  });

  test("climbs the loss that is asked for, if one is", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 13, { numNodes: 30, density: 0.1 });
    const run = (objective: Objective, loss = {}) =>
      prbcd(model, view, { nodes, budget: 6, rng: new Rng(1), objective }, { ...options, ...loss });
    const asked = await run(marginObjective, { loss: tanhMargin });
    const plain = await run(accuracyObjective, { loss: tanhMargin });
    expect(asked.trace[1].loss).toBe(plain.trace[1].loss); // up to the first epoch that is the best
    expect((await run(marginObjective)).trace[1].loss).not.toBe(plain.trace[1].loss);
  });
});
