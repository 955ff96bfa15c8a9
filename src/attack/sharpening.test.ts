import { describe, expect, test } from "vitest";
import { valuesOf } from "../../test/support/dense.ts";
import { createReference } from "../backend/reference/reference.ts";
import { tensor } from "../tensor/index.ts";
import { projectOntoBudget } from "./projection.ts";
import { epochsBeforeSharpening, growthOf, sharpen } from "./sharpening.ts";

const backend = createReference();
const FLOOR = 1e-7;

describe("the growth of weights", () => {
  const options = { epochs: 500, sharpening: 10 };
  const growths = (given: typeof options) => Array.from({ length: given.epochs }, (_, t) => growthOf(given, t));

  test("starts after two fifths of the epochs, rises from there, and adds up to what was asked for", () => {
    const all = growths(options);
    expect(epochsBeforeSharpening(options)).toBe(200);
    expect(all.slice(0, 200).every((growth) => growth === 0)).toBe(true);
    expect(all.slice(200).every((growth, t, rest) => growth > (rest[t - 1] ?? 0))).toBe(true);
    expect(all.reduce((sum, growth) => sum + growth)).toBeCloseTo(10, 1);
  });
  test("is none at all where none is asked for", () => {
    const none = { ...options, sharpening: 0 };
    expect(epochsBeforeSharpening(none)).toBe(500);
    expect(growths(none).every((growth) => growth === 0)).toBe(true);
  });
  test("is finite in a run of a single epoch", () => {
    expect(growthOf({ epochs: 1, sharpening: 10 }, 0)).toBe(20);
  });
});

describe("sharpening", () => {
  test("drives weights to 0 and 1 within the budget, the heaviest to 1", async () => {
    const weights = tensor(backend, [0.41, FLOOR, 0.39, 0.4, 0.42, 0.38], [6]);
    for (let t = 0; t < 200; t++) {
      sharpen(weights, 0.05, FLOOR);
      projectOntoBudget(weights, 2, FLOOR);
    }
    const sharp = await valuesOf(weights);
    for (const [e, expected] of [1, 0, 0, 0, 1, 0].entries()) expect(sharp[e]).toBeCloseTo(expected, 6);
  });
  test("leaves candidates at the floor where they are, also while the budget is not spent", async () => {
    const weights = tensor(backend, [FLOOR, 0.1], [2]);
    for (let t = 0; t < 100; t++) {
      sharpen(weights, 0.2, FLOOR);
      projectOntoBudget(weights, 2, FLOOR);
    }
    expect(await valuesOf(weights)).toEqual([FLOOR, 1 - FLOOR]);
  });
});
