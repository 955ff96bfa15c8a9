import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "./rng.ts";

const DRAWS = 100_000;

function moments(draw: () => number) {
  const values = Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  const central = (power: number) => values.reduce((sum, value) => sum + (value - mean) ** power, 0) / DRAWS;
  return { mean, variance: central(2), third: central(3), fourth: central(4), min: Math.min(...values.slice(0, 1e4)) };
}

describe("Rng", () => {
  test("gives the same numbers for the same seed and others for another seed or stream", () => {
    const first = (rng: Rng) => Array.from({ length: 8 }, () => rng.next32());
    expect(first(new Rng(3))).toEqual(first(new Rng(3)));
    expect(first(new Rng(3))).not.toEqual(first(new Rng(4)));
    expect(first(new Rng(3))).not.toEqual(first(new Rng(3, 1)));
    expect(first(new Rng(3))).not.toEqual(first(new Rng(3 + 2 ** 32)));
  });
  test("draws uniform numbers in [0, 1) with the moments of the uniform distribution", () => {
    const rng = new Rng(0);
    const { mean, variance, third, min } = moments(() => rng.uniform());
    expect(min).toBeGreaterThanOrEqual(0);
    expect(mean).toBeCloseTo(1 / 2, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
    expect(third).toBeCloseTo(0, 2);
  });
  test("draws normal numbers with the moments of the normal distribution", () => {
    const rng = new Rng(1);
    const { mean, variance, third, fourth } = moments(() => rng.normal());
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(DRAWS));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / DRAWS));
    expect(Math.abs(third)).toBeLessThan(4 * Math.sqrt(15 / DRAWS));
    expect(Math.abs(fourth - 3)).toBeLessThan(4 * Math.sqrt(96 / DRAWS));
  });
  test("draws every integer below the bound equally often, by the chi-squared test", () => {
    const rng = new Rng(2);
    for (const bound of [2, 7, 100]) {
      const counts = new Float64Array(bound);
      for (let k = 0; k < DRAWS; k++) counts[rng.integer(bound)]++;
      const expected = DRAWS / bound;
      const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquared).toBeLessThan(bound - 1 + 5 * Math.sqrt(2 * bound)); // five deviations above its mean
    }
  });
  test("draws integers within any bound, also beyond 32 bits", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (seed, bound) => {
        const value = new Rng(seed).integer(bound);
        expect(Number.isSafeInteger(value) && value >= 0 && value < bound).toBe(true);
      }),
    );
  });
  test("shuffles into a permutation, each of the six orders of three items equally often", () => {
    const rng = new Rng(3);
    const seen = new Map<string, number>();
    for (let k = 0; k < 6000; k++) {
      const order = rng.shuffle([0, 1, 2]).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(["012", "021", "102", "120", "201", "210"]);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
  test("shuffles any number of items into a permutation of them", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(), (length, seed) => {
        const items = Int32Array.from({ length }, (_, k) => k);
        expect(new Rng(seed).shuffle(items.slice()).sort()).toEqual(items);
      }),
    );
  });
  test("forks generators that are uncorrelated with it and with each other", () => {
    const parent = new Rng(4);
    const a = parent.fork();
    const b = parent.fork();
    for (const [x, y] of [
      [a, b],
      [parent, parent.fork()],
    ] as const) {
      let product = 0;
      for (let k = 0; k < DRAWS; k++) product += (x.uniform() - 0.5) * (y.uniform() - 0.5);
      expect(Math.abs((12 * product) / DRAWS)).toBeLessThan(4 / Math.sqrt(DRAWS));
    }
  });
  test("is not shifted by how much a fork draws", () => {
    const one = new Rng(5);
    const other = new Rng(5);
    one.fork();
    const fork = other.fork();
    for (let k = 0; k < 10; k++) fork.uniform();
    expect(one.uniform()).toBe(other.uniform());
  });
  test("hands out a different key each time", () => {
    const rng = new Rng(6);
    expect(rng.nextKey()).not.toEqual(rng.nextKey());
  });
  test("goes on from where another one stood, at any number", () => {
    for (let drawn = 0; drawn < 10; drawn++) {
      const one = new Rng(7, 3);
      for (let k = 0; k < drawn; k++) one.next32();
      if (drawn % 2 === 1) one.normal(); // leaves a spare one
      const other = new Rng(7, 3);
      other.restore(JSON.parse(JSON.stringify(one.state())));
      const next = (rng: Rng) => [rng.normal(), rng.next32(), rng.next32(), rng.next32(), rng.next32(), rng.next32()];
      expect(next(other)).toEqual(next(one));
    }
  });
});
