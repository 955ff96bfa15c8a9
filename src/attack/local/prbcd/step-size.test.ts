import { describe, expect, test } from "vitest";
import { adaptingStep, publishedStep } from "./step-size.ts";

describe("publishedStep", () => {
  const step = (nodesPerCandidate: number) =>
    publishedStep({ learningRateFactor: 0.05, budget: 4, nodesPerCandidate, resamplingEpochs: 100 });
  const gradient = new Float64Array(0);

  test("grows with the budget and the root of the nodes per candidate, and never falls below one", () => {
    expect(step(16).rate(0, gradient)).toBeCloseTo(4 * 0.05 * 4, 12);
    expect(step(0.3).rate(0, gradient)).toBeCloseTo(4 * 0.05, 12);
  });
  test("falls with the root of the fine-tuning epochs, which start from the best", () => {
    expect(step(1).rate(103, gradient)).toBeCloseTo(step(1).rate(0, gradient) / 2, 12);
    expect([99, 100, 101].map((epoch) => step(1).judge(epoch, false))).toEqual(["go on", "go back", "go on"]);
  });
});

describe("adaptingStep", () => {
  test("moves the steepest candidate by the first step, whatever the scale of the gradient", () => {
    expect(adaptingStep(0.5, 0).rate(0, Float64Array.of(1, -20, 5))).toBeCloseTo(0.5 / 20, 12);
    expect(adaptingStep(0.5, 0).rate(0, Float64Array.of(0, 0))).toBe(0);
  });
  test("is halved from the best epoch on after two epochs without progress, and ends when it is small", () => {
    const step = adaptingStep(1, 0);
    const gradient = Float64Array.of(1);
    expect(step.judge(0, true)).toBe("go back");
    expect([step.judge(1, true), step.judge(2, false), step.judge(3, false)]).toEqual(["go on", "go on", "go back"]);
    expect(step.rate(4, gradient)).toBe(0.5);
    const verdicts = Array.from({ length: 12 }, (_, t) => step.judge(4 + t, false));
    expect(verdicts.indexOf("stop")).toBe(9);
  });
  test("counts nothing while blocks change", () => {
    const step = adaptingStep(1, 5);
    for (let t = 0; t < 5; t++) expect(step.judge(t, false)).toBe("go on");
    expect(step.rate(5, Float64Array.of(1))).toBe(1);
  });
});
