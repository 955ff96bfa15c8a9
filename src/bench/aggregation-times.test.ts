import { describe, expect, test } from "vitest";
import { type AggregationRound, aggregationTimes } from "./aggregation-times.ts";

describe("aggregationTimes", () => {
  const round: AggregationRound = {
    productBefore: 11,
    median: 31,
    productBetween: 11,
    medianBoth: 76,
    productAfter: 11,
    productBoth: 36,
    sum: 6, // 5, and 1 for the reading
    readOne: 1,
  };
  test("leaves out the sum that is differentiated and the reading of the result", () => {
    const { product, softMedian, ratio, timesPlain } = aggregationTimes([round]);
    expect(product).toEqual({ forward: 10, backward: 20 });
    expect(softMedian).toEqual({ forward: 30, backward: 40 });
    expect(ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    expect(timesPlain).toBeCloseTo(70 / 30);
  });
  test("says the same of a machine that is slower in some rounds, or ever slower", () => {
    const slower = Object.entries(round).map(([step, time]) => [step, 3 * time]);
    const slow: AggregationRound = Object.fromEntries(slower);
    expect(aggregationTimes([slow, round, slow]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    const ever = { ...round, productBefore: 9, productBetween: 13, medianBoth: 7 * 14 + 6, productAfter: 17 };
    expect(aggregationTimes([ever]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
  });
  test("does not mind a round in which one product was disturbed", () => {
    const disturbed = { ...round, productBetween: 51 };
    expect(aggregationTimes([round, disturbed, round])).toEqual(aggregationTimes([round]));
  });
});
