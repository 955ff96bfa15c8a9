import { describe, expect, test } from "vitest";
import { python, testWithNumpy } from "../../test/support/python.ts";
import { NumpyRandom } from "./numpy-random.ts";

describe("NumpyRandom", () => {
  test("gives the words of MT19937 with its default seed", () => {
    const random = new NumpyRandom(5489); // the seed of the generator's published test vector
    const words = Array.from({ length: 10_000 }, () => random.next32());
    expect([words[0], words[9_999]]).toEqual([3499211612, 4123659995]);
  });
  test("draws nothing for a range of one value", () => {
    const random = new NumpyRandom(1);
    const other = new NumpyRandom(1);
    expect(random.interval(0)).toBe(0);
    expect(random.next32()).toBe(other.next32());
  });
  test("stays within its bounds and reaches both", () => {
    const random = new NumpyRandom(2);
    const drawn = new Set(Array.from({ length: 500 }, () => random.interval(4)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4]);
  });
  testWithNumpy("permutes and samples as numpy.random.RandomState does", () => {
    const program = `
import numpy as np
r = np.random.RandomState(42)
a = np.arange(1000); r.shuffle(a)
print(*a, *r.choice(500, 20, replace=False), *r.permutation(7))`;
    const random = new NumpyRandom(42);
    const shuffled = random.permute(Int32Array.from({ length: 1000 }, (_, i) => i));
    const ours = [...shuffled, ...random.sample(500, 20), ...random.sample(7, 7)];
    expect(ours.join(" ")).toBe(python(program));
  });
});
