import { expect, test } from "vitest";
import { between, higher } from "./ceilings.ts";

const [slow, fast] = [1, 3].map((rate) => ({
  ...{ threads: 2, stream: rate, gather: rate, cached: rate, shared: rate, flops: rate, words: rate },
})) as [Parameters<typeof between>[0], Parameters<typeof between>[0]];

test("between two measurements work takes the mean of the times they promise", () => {
  const { gather, threads } = between(slow, fast);
  expect(1 / gather).toBeCloseTo((1 / slow.gather + 1 / fast.gather) / 2);
  expect(threads).toBe(2);
});

test("the higher of two measurements is the one of the quieter moment", () => {
  expect(higher(slow, fast)).toEqual(fast);
});
