import { describe, expect, test } from "vitest";
import { type AggregationRound, aggregationTimes } from "./aggregation-times.ts";

describe("aggregationTimes", () => {
  const round: AggregationRound = [11, 31, 11, 76, 11, 36, 6, 1]; // the look takes 1, the sum 5
  test("leaves out the sum that is differentiated and the look at the result", () => {
    const { product, softMedian, ratio, timesPlain } = aggregationTimes([round]);
    expect(product).toEqual({ forward: 10, backward: 20 });
    expect(softMedian).toEqual({ forward: 30, backward: 40 });
    expect(ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    expect(timesPlain).toBeCloseTo(70 / 30);
  });
  test("says the same of a machine that is slower in some rounds, or ever slower", () => {
    const slow = round.map((time) => 3 * time) as unknown as AggregationRound;
    expect(aggregationTimes([slow, round, slow]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
    const ever: AggregationRound = [9, 31, 13, 7 * 14 + 6, 17, 36, 6, 1];
    expect(aggregationTimes([ever]).ratio).toEqual({ forward: 3, backward: 4, both: 7 });
  });
  test("does not mind a round in which one product was disturbed", () => {
    const disturbed: AggregationRound = [11, 31, 51, 76, 11, 36, 6, 1];
    expect(aggregationTimes([round, disturbed, round])).toEqual(aggregationTimes([round]));
  });
});
