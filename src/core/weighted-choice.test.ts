import { describe, expect, test } from "vitest";
import { Rng } from "./rng.ts";
import { WeightedChoice } from "./weighted-choice.ts";

describe("WeightedChoice", () => {
  test("maps shares of the total to indices, never to one without weight", () => {
    const choice = new WeightedChoice([1, 0, 3]);
    expect([0, 0.24, 0.25, 0.99].map((u) => choice.at(u))).toEqual([0, 0, 2, 2]);
  });
  test("draws indices as often as their weights say", () => {
    const choice = new WeightedChoice([1, 2, 5]);
    const rng = new Rng(0);
    const counts = [0, 0, 0];
    for (let k = 0; k < 80_000; k++) counts[choice.draw(rng)]++;
    for (const [k, expected] of [10_000, 20_000, 50_000].entries()) {
      expect(Math.abs(counts[k] - expected)).toBeLessThan(4 * Math.sqrt(expected));
    }
  });
  test("draws among the first indices only if asked, and -1 where those have no weight", () => {
    const choice = new WeightedChoice([0, 4, 4]);
    const rng = new Rng(1);
    for (let k = 0; k < 20; k++) expect(choice.draw(rng, 2)).toBe(1);
    expect(choice.draw(rng, 1)).toBe(-1);
  });
});
