import { describe, expect, test } from "vitest";
import { binomial } from "./binomial.ts";
import { lowerBound, upperBound } from "./clopper-pearson.ts";

describe("Clopper-Pearson bounds", () => {
  // Two-sided 95% intervals as printed in tables of the binomial distribution, so 2.5% on each side.
  test.each([
    [0, 10, 0, 0.3085],
    [1, 10, 0.0025, 0.445],
    [5, 10, 0.1871, 0.8129],
    [10, 10, 0.6915, 1],
    [3, 20, 0.0321, 0.3789],
    [15, 30, 0.313, 0.687],
    [10, 100, 0.049, 0.1762],
  ])("for %d of %d are those of published tables", (successes, trials, low, high) => {
    expect(lowerBound(successes, trials, 0.025)).toBeCloseTo(low, 4);
    expect(upperBound(successes, trials, 0.025)).toBeCloseTo(high, 4);
  });
  test("leave exactly the level in the tail of the binomial distribution", () => {
    for (const [successes, trials, level] of [
      [3, 12, 0.05],
      [40, 50, 0.01],
      [199, 200, 0.007],
    ]) {
      const tail = (p: number, counts: (k: number) => boolean) =>
        binomial(trials, p).reduce((sum, mass, k) => sum + (counts(k) ? mass : 0), 0);
      expect(tail(lowerBound(successes, trials, level), (k) => k >= successes)).toBeCloseTo(level, 10);
      expect(tail(upperBound(successes, trials, level), (k) => k <= successes)).toBeCloseTo(level, 10);
    }
  });
  test("with unanimous votes are .999506 for 10,000 samples and seven classes", () => {
    expect(lowerBound(10_000, 10_000, 0.05 / 7)).toBeCloseTo(0.999506, 6);
  });
});
