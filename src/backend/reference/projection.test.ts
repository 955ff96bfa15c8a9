import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReference } from "./reference.ts";

const on = createReference();

async function project(x: number[], budget: number, floor: number) {
  const out = on.alloc("f32", 2);
  const weights = on.upload(Float64Array.from(x));
  on.projectOntoBudget(out, weights, budget, floor);
  const [before, lambda] = await on.read(out);
  return { before: before!, lambda: lambda!, x: [...(await on.read(weights))] };
}

const clip = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
const mass = (x: number[], lambda = 0) => x.reduce((sum, value) => sum + clip(value - lambda, 0, 1), 0);

/** Weights with ties, bounds and values far outside them. */
const anyWeights = fc.array(
  fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), fc.constantFrom(0, 1, 0.5, 1e-7, 1.5, 3)),
  { maxLength: 60 },
);
const anyBudget = fc.oneof(fc.double({ min: 0, max: 40, noNaN: true }), fc.nat(20));

describe("projectOntoBudget", () => {
  test("reaches the budget exactly, or leaves the mass alone where it is below", async () => {
    await fc.assert(
      fc.asyncProperty(anyWeights, anyBudget, async (x, budget) => {
        const { before, lambda, x: projected } = await project(x, budget, 0);
        expect(before).toBeCloseTo(mass(x), 9);
        expect(Math.abs(mass(projected) - Math.min(budget, before))).toBeLessThan(1e-9);
        if (before <= budget) expect(lambda).toBe(0);
        else expect(lambda).toBeGreaterThan(0);
      }),
    );
  });
  test("shifts and bounds every weight alike", async () => {
    await fc.assert(
      fc.asyncProperty(anyWeights, anyBudget, async (x, budget) => {
        const floor = 1e-7;
        const { lambda, x: projected } = await project(x, budget, floor);
        expect(projected).toEqual(x.map((value) => clip(value - lambda, floor, 1 - floor)));
      }),
    );
  });
  test("takes the smallest shift where several reach the budget", async () => {
    const { lambda, x } = await project([3, 3, 0.25], 2, 0); // every λ from 0.25 to 2 leaves a mass of 2
    expect([lambda, ...x]).toEqual([0.25, 1, 1, 0]);
    expect((await project([0.5, 0.75], 0, 0)).lambda).toBe(0.75);
  });
  test("is exact on a block of 100,000 weights", async () => {
    const x = Array.from({ length: 100_000 }, (_, e) => Math.abs(Math.sin(e)) * 1.5 - 0.3);
    const { lambda } = await project(x, 798, 1e-7);
    expect(Math.abs(mass(x, lambda) - 798)).toBeLessThan(1e-9);
  });
  test("refuses a negative budget", async () => {
    await expect(project([1], -1, 0)).rejects.toThrow("projectOntoBudget: budget must be at least 0, got -1");
  });
});
