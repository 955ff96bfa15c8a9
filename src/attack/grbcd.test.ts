import { describe, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { grbcd } from "./grbcd.ts";

/** A graph so small that every block holds all its pairs. */
async function attackSmall(seed: number, budget: number) {
  const { model, view, nodes } = await attackCase(createReference(), seed, { numNodes: 20, density: 0.1 });
  return grbcd(model, view, { nodes, budget, rng: new Rng(seed) });
}

describe("grbcd on a graph whose blocks hold every pair", () => {
  test("is never weaker with a larger budget", async () => {
    for (let seed = 0; seed < 6; seed++) {
      let before = 1;
      for (const budget of [19, 20, 30, 31]) {
        const { accuracy } = await attackSmall(seed, budget);
        expect(accuracy.adversarial).toBeLessThanOrEqual(before);
        before = accuracy.adversarial;
      }
    }
  });

  test("returns the graph with the fewest correct nodes of those it passed through", async () => {
    for (let seed = 0; seed < 6; seed++) {
      const { score, trace } = await attackSmall(seed, 30);
      expect(score.adversarial).toBeLessThanOrEqual(Math.min(...trace.map((entry) => entry.score)));
    }
  });

  test("flips no pair back: the graph after t steps has t flips", async () => {
    for (let seed = 0; seed < 6; seed++) {
      const { score, trace, perturbation } = await attackSmall(seed, 30);
      const steps = perturbation.flips.sources.length;
      if (steps < 30) expect(trace[steps].score).toBe(score.adversarial); // the last graph is not in the trace
      expect(trace.slice(steps + 1).every((entry) => entry.score > score.adversarial)).toBe(true);
    }
  });

  test("takes one pass per step, and one more for the last graph", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 1);
    let passes = 0;
    const counting = Object.assign(Object.create(model) as typeof model, {
      forward: (...args: Parameters<typeof model.forward>) => {
        passes++;
        return model.forward(...args);
      },
    });
    await grbcd(counting, view, { nodes, budget: 7, rng: new Rng(0) });
    expect(passes).toBe(7 + 1 + 2); // and two that report on the clean and on the returned graph
  });
});
