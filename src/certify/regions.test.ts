import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FlipNoise, noNoise } from "../graph/noise/noise.ts";
import { isCertified } from "./certified-radii.ts";
import { type Radius, type Region, regionsOf } from "./regions.ts";
import { highestAfter, lowestAfter } from "./worst-case.ts";

const still = { additions: 0, deletions: 0 };
const onEdges = (noise: FlipNoise, radius: Radius) =>
  regionsOf({ edges: noise, features: noNoise }, { edges: radius, features: still });

/** How likely noise turns the bits `from` into the bits `to`. */
function likelihood({ add, delete: drop }: FlipNoise, from: number[], to: number[]): number {
  return from.reduce((p, bit, at) => {
    const flip = bit === 0 ? add : drop;
    return p * (bit === to[at] ? 1 - flip : flip);
  }, 1);
}

/** Every noisy outcome of the places in which the two graphs differ, one region each. */
function enumerated(noise: FlipNoise, { additions, deletions }: Radius): Region[] {
  const clean = [...Array(additions).fill(0), ...Array(deletions).fill(1)];
  const perturbed = clean.map((bit) => 1 - bit);
  return Array.from({ length: 2 ** clean.length }, (_, number) => {
    const outcome = clean.map((_, at) => (number >> at) & 1);
    return { clean: likelihood(noise, clean, outcome), perturbed: likelihood(noise, perturbed, outcome) };
  });
}

/** The same as {@link lowestAfter}, over single outcomes. */
function ratioOrder(regions: Region[]): Region[] {
  return regions
    .filter(({ clean, perturbed }) => clean > 0 || perturbed > 0)
    .sort((a, b) => (a.clean / a.perturbed < b.clean / b.perturbed ? 1 : -1));
}

/** Not too close to 0 and 1: a rounding error of the mass would be multiplied by ratios of up to 1 / p⁸. */
const probability = fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 0.9, noNaN: true }));
const radius = fc.record({ additions: fc.integer({ min: 0, max: 4 }), deletions: fc.integer({ min: 0, max: 4 }) });

describe("regionsOf", () => {
  test("has the masses of a worked case: one addition and one deletion", () => {
    const regions = onEdges({ add: 0.1, delete: 0.4 }, { additions: 1, deletions: 1 });
    const expected = [
      [0.9 * 0.6, 0.4 * 0.1],
      [0.1 * 0.6 + 0.9 * 0.4, 0.6 * 0.1 + 0.4 * 0.9],
      [0.1 * 0.4, 0.6 * 0.9],
    ];
    for (const [q, { clean, perturbed }] of regions.entries()) {
      expect(clean).toBeCloseTo(expected[q][0], 14);
      expect(perturbed).toBeCloseTo(expected[q][1], 14);
    }
  });
  test("has the three regions of the special cases where one of the probabilities is 0", () => {
    const p = 0.4;
    const { additions: a, deletions: d } = { additions: 2, deletions: 3 };
    const sums = (regions: Region[], kind: (region: Region) => boolean) =>
      regions.filter(kind).reduce((sum, { clean, perturbed }) => [sum[0] + clean, sum[1] + perturbed], [0, 0]);
    for (const [noise, mine, other] of [
      [{ add: 0, delete: p }, d, a],
      [{ add: p, delete: 0 }, a, d],
    ] as const) {
      const regions = onEdges(noise, { additions: a, deletions: d });
      const onlyClean = sums(regions, ({ perturbed }) => perturbed === 0);
      const both = sums(regions, ({ clean, perturbed }) => clean > 0 && perturbed > 0);
      const onlyPerturbed = sums(regions, ({ clean }) => clean === 0);
      expect(onlyClean[0]).toBeCloseTo(1 - p ** mine, 14);
      expect(both[0]).toBeCloseTo(p ** mine, 14);
      expect(both[1]).toBeCloseTo(p ** other, 14);
      expect(onlyPerturbed[1]).toBeCloseTo(1 - p ** other, 14);
    }
  });
  test("sums to 1 on both sides and has falling ratios, whatever the noise", () => {
    fc.assert(
      fc.property(probability, probability, radius, (add, drop, r) => {
        const regions = onEdges({ add, delete: drop }, r);
        expect(regions.reduce((sum, { clean }) => sum + clean, 0)).toBeCloseTo(1, 12);
        expect(regions.reduce((sum, { perturbed }) => sum + perturbed, 0)).toBeCloseTo(1, 12);
        for (let q = 1; q < regions.length; q++) {
          const before = regions[q - 1].clean / regions[q - 1].perturbed;
          expect(regions[q].clean / regions[q].perturbed).toBeLessThanOrEqual(before);
        }
      }),
    );
  });
  test("gives the worst cases of enumerating every noisy outcome", () => {
    fc.assert(
      fc.property(probability, probability, radius, fc.double({ min: 0, max: 1, noNaN: true }), (add, drop, r, p) => {
        const noise = { add, delete: drop };
        const single = ratioOrder(enumerated(noise, r));
        const regions = onEdges(noise, r);
        expect(lowestAfter(regions, p)).toBeCloseTo(lowestAfter(single, p), 7);
        expect(highestAfter(regions, p)).toBeCloseTo(highestAfter(single, p), 7);
      }),
    );
  });
  test("treats edges and features that change together as one larger set of places", () => {
    const noise = { add: 0.2, delete: 0.3 };
    const together = regionsOf(
      { edges: noise, features: noise },
      { edges: { additions: 1, deletions: 2 }, features: { additions: 2, deletions: 0 } },
    );
    const one = onEdges(noise, { additions: 3, deletions: 2 });
    for (const p of [0.1, 0.5, 0.9]) {
      expect(lowestAfter(together, p)).toBeCloseTo(lowestAfter(one, p), 12);
      expect(highestAfter(together, p)).toBeCloseTo(highestAfter(one, p), 12);
    }
  });
});

describe("worst cases", () => {
  test("are reached by no classifier that looks at the places that differ, however it is made", () => {
    const noise = { add: 0.15, delete: 0.35 };
    const r = { additions: 2, deletions: 1 };
    const outcomes = enumerated(noise, r);
    const regions = onEdges(noise, r);
    for (let classifier = 0; classifier < 2 ** outcomes.length; classifier++) {
      const chosen = outcomes.filter((_, at) => ((classifier >> at) & 1) === 1);
      const clean = chosen.reduce((sum, region) => sum + region.clean, 0);
      const perturbed = chosen.reduce((sum, region) => sum + region.perturbed, 0);
      expect(perturbed).toBeGreaterThan(lowestAfter(regions, clean) - 1e-12);
      expect(perturbed).toBeLessThan(highestAfter(regions, clean) + 1e-12);
    }
  });
  test("leave a certain class as it is without an adversary, and certify nothing that is not certain", () => {
    const noise = { edges: { add: 0.01, delete: 0.4 }, features: noNoise };
    const nowhere = { edges: still, features: still };
    expect(isCertified({ chosen: 0.6, others: 0.4 }, noise, nowhere)).toBe(true);
    expect(isCertified({ chosen: 0.4, others: 0.4 }, noise, nowhere)).toBe(false);
  });
});
