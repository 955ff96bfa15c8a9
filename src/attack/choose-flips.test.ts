import { expect, test } from "vitest";
import { Rng } from "../core/rng.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import { drawFlips, FlipSet, firstWithout, toggleFlips } from "./choose-flips.ts";

function flips(...pairs: readonly (readonly [number, number])[]): Flips {
  return { sources: Int32Array.from(pairs, ([i]) => i), targets: Int32Array.from(pairs, ([, j]) => j) };
}

test("flips come in ascending order, whatever the order in which they were named", () => {
  expect(toggleFlips(noFlips, flips([2, 3], [0, 9], [0, 4]))).toEqual(flips([0, 4], [0, 9], [2, 3]));
});

test("a pair that is flipped again is undone", () => {
  const made = flips([0, 4], [0, 9], [2, 3]);
  expect(toggleFlips(made, flips([2, 3], [0, 4]))).toEqual(flips([0, 9]));
  expect(toggleFlips(made, flips([5, 6], [0, 9], [0, 1]))).toEqual(flips([0, 1], [0, 4], [2, 3], [5, 6]));
});

test("pairs that were flipped before are left out, in whatever order they come", () => {
  const made = flips([0, 4], [0, 9], [2, 3]);
  const named = flips([5, 6], [2, 3], [0, 4], [0, 5], [1, 9]);
  expect(firstWithout(made, named, 9)).toEqual(flips([5, 6], [0, 5], [1, 9]));
  expect(firstWithout(made, named, 2)).toEqual(flips([5, 6], [0, 5]));
  expect(firstWithout(noFlips, named, 1)).toEqual(flips([5, 6]));
});

test("many random toggles leave the pairs that were named an odd number of times", () => {
  const rng = new Rng(3);
  const odd = new Set<string>();
  let made = noFlips;
  for (let step = 0; step < 50; step++) {
    const named = new Map<string, [number, number]>();
    for (let k = 0; k < 10; k++) {
      const pair: [number, number] = [rng.integer(8), rng.integer(8)];
      named.set(pair.join(), pair);
    }
    for (const key of named.keys()) if (!odd.delete(key)) odd.add(key);
    made = toggleFlips(made, flips(...named.values()));
  }
  const keys = Array.from(made.sources, (i, k) => `${i},${made.targets[k]}`);
  expect(keys).toEqual([...odd].sort());
});

test("pairs chosen one by one come once each and in ascending order", () => {
  const chosen = new FlipSet();
  for (const [i, j] of [
    [2, 3],
    [0, 9],
    [2, 3],
    [0, 4],
  ]) {
    chosen.add(i, j);
  }
  expect(chosen.size).toBe(3);
  expect(chosen.toFlips()).toEqual(flips([0, 4], [0, 9], [2, 3]));
});

test("a draw takes each pair as often as its weight says", () => {
  const rng = new Rng(7);
  const weighted = { ...flips([0, 1], [0, 2], [1, 2]), weights: Float32Array.of(0, 0.25, 1) };
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 4000; draw++) {
    const { sources, targets } = drawFlips(weighted, rng);
    for (const [k, i] of sources.entries()) {
      const name = 10 * i + targets[k];
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  expect([counts.get(1), counts.get(12)]).toEqual([undefined, 4000]);
  expect(Math.abs(counts.get(2)! / 4000 - 0.25)).toBeLessThan(0.03);
});
