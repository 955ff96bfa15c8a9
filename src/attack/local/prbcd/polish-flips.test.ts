import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { FlipTrials } from "./flip-trials.ts";
import { polishFlips } from "./polish-flips.ts";
import type { RelaxedNode } from "./relaxed-node.ts";
import { sampleFlips } from "./sample-flips.ts";

const goal = { label: 0, towards: null };

/** Candidate e is the pair (0, e + 1). */
function blockOf(size: number): NodeBlock {
  const targets = Int32Array.from({ length: size }, (_, e) => e + 1);
  return {
    numbers: Float64Array.from(targets),
    sources: new Int32Array(size),
    targets,
    signs: new Float64Array(size).fill(1),
  };
}

/** A node whose margin falls by the gain of each flip, and whose estimates are right up to noise. */
function nodeWith(gains: readonly number[], noise: (e: number) => number = () => 0): RelaxedNode {
  const marginOf = (places: readonly number[]) => 1 - places.reduce((sum, e) => sum + gains[e], 0);
  return {
    lay: async () => {},
    step: () => Promise.reject(new Error("not needed")),
    estimate: async (places) => Float64Array.from(gains, (gain, e) => marginOf(places) - gain + noise(e)),
    logitsAfter: async ({ targets }) => [marginOf(Array.from(targets, (target) => target - 1)), 0],
    dispose() {},
  };
}

function trialsOf(node: RelaxedNode, size: number): FlipTrials {
  return new FlipTrials(node, blockOf(size), goal, "logits");
}

const anyGains = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 3, maxLength: 12 });

describe("polishFlips", () => {
  test("finds the best flips if estimates are right, and none that does not help", async () => {
    await fc.assert(
      fc.asyncProperty(anyGains, fc.integer({ min: 1, max: 4 }), async (gains, budget) => {
        const node = nodeWith(gains);
        const trials = trialsOf(node, gains.length);
        const start = await trials.try([0, 1].slice(0, budget));
        const { places, distance } = await polishFlips(node, trials, start, { budget, evaluations: 1000 });
        const best = gains
          .filter((gain) => gain > 0)
          .sort((a, b) => b - a)
          .slice(0, budget);
        expect(distance).toBe(1 - best.reduce((sum, gain) => sum + gain, 0));
        for (const e of places) expect(gains[e]).toBeGreaterThan(0);
      }),
    );
  });

  test("never returns anything weaker than it was given, or over budget, whatever it may try", async () => {
    await fc.assert(
      fc.asyncProperty(anyGains, fc.integer({ min: 0, max: 8 }), fc.nat(1e6), async (gains, evaluations, seed) => {
        const rng = new Rng(seed);
        const node = nodeWith(gains, () => rng.normal());
        const trials = trialsOf(node, gains.length);
        const start = await trials.try([0, 2]);
        const polished = await polishFlips(node, trials, start, { budget: 2, evaluations });
        expect(polished.distance).toBeLessThanOrEqual(start.distance);
        expect(polished.places.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe("sampleFlips", () => {
  test("takes the heaviest candidates in use, unless a draw or the clean graph is closer to the goal", async () => {
    const options = { budget: 2, floor: 0.1, rng: new Rng(0) };
    const weights = Float64Array.of(0.9, 0.1, 0.8, 0.5);
    const chosen = async (gains: number[], samples: number) =>
      (await sampleFlips(trialsOf(nodeWith(gains), 4), weights, { ...options, samples })).places;
    expect(await chosen([1, 9, 1, 1], 1)).toEqual([0, 2]); // candidate 1 is at the floor
    expect(await chosen([-1, 0, -1, -1], 1)).toEqual([]);
    expect(await chosen([-5, 0, -5, 3], 100)).toEqual([3]);
  });
});
