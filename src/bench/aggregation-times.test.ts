import { describe, expect, test } from "vitest";
import { type AggregationRound, aggregationTimes } from "./aggregation-times.ts";

describe("aggregationTimes", () => {
  const round: AggregationRound = [10, 30, 10, 75, 10, 35, 6, 1]; // the sum takes 5
  test("leaves out the sum that is differentiated", () => {
    const { product, softMedian, ratio, timesPlain } = aggregationTimes([round]);
    expect(product).toEqual({ forward: 10, backward: 20 });
    expect(softMedian).toEqual({ forward: 30, backward: 40 });
    expect(ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    expect(timesPlain).toBeCloseTo(70 / 30);
  });
  test("says the same of a machine that is slower in some rounds, or ever slower", () => {
    const slow = round.map((time) => 3 * time) as unknown as AggregationRound;
    expect(aggregationTimes([slow, round, slow]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    const ever: AggregationRound = [8, 30, 12, 7 * 14 + 5, 16, 35, 6, 1];
    expect(aggregationTimes([ever]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
  });
  test("does not mind a round in which one product was disturbed", () => {
    const disturbed: AggregationRound = [10, 30, 50, 75, 10, 35, 6, 1];
    expect(aggregationTimes([round, disturbed, round])).toEqual(aggregationTimes([round]));
  });
});
