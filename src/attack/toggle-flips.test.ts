import { expect, test } from "vitest";
import { Rng } from "../core/rng.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import { toggleFlips } from "./toggle-flips.ts";

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
