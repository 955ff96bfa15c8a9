import { expect, test } from "vitest";
import { meanError, meanErrorOf } from "./mean-error.ts";

test("the standard error is the unbiased deviation over the root of the count", () => {
  const { mean, standardError } = meanError([1, 2, 6]);
  expect(mean).toBe(3);
  expect(standardError).toBeCloseTo(Math.sqrt(7 / 3), 12); // variance (4 + 1 + 9) / 2 = 7
});

test("one value has no standard error", () => {
  expect(meanError([0.5])).toEqual({ mean: 0.5, standardError: null });
});

test("records are combined number by number", () => {
  const { mean, standardError } = meanErrorOf([
    { accuracy: { clean: 1, adversarial: 0.5 }, epochs: 3 },
    { accuracy: { clean: 0.5, adversarial: 0.5 }, epochs: 5 },
  ]);
  expect(mean).toEqual({ accuracy: { clean: 0.75, adversarial: 0.5 }, epochs: 4 });
  expect(standardError).toEqual({ accuracy: { clean: 0.25, adversarial: 0 }, epochs: 1 });
});
