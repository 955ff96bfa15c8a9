import { expect, test } from "vitest";
import { type Ceilings, highest, typical } from "./ceilings.ts";

const measured = [3, 1, 2, 9, 2].map(
  (rate): Ceilings => ({
    threads: 2,
    stream: rate,
    gather: 10 - rate,
    cached: rate,
    shared: rate,
    flops: rate,
    words: rate,
  }),
);

test("the highest of some measurements is, for each resource, that of its quietest moment", () => {
  expect(highest(measured)).toMatchObject({ threads: 2, stream: 9, gather: 9 });
});

test("a typical measurement is the median of each resource, whatever happened in a few moments", () => {
  expect(typical(measured)).toMatchObject({ threads: 2, stream: 2, gather: 8 });
});
