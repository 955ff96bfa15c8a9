import { afterEach, describe, expect, test, vi } from "vitest";
import { EpochTimer, WARM_UP } from "./epoch-timer.ts";

const NOTHING = { flops: 0, gather: 0, shared: 0, cached: 0, stream: 0, words: 0 };

describe("an epoch timer", () => {
  afterEach(() => vi.restoreAllMocks());

  test("reports time and needs of the median epoch and of the shortest, and none from before or behind", () => {
    const needs = { ...NOTHING };
    const timer = new EpochTimer(needs);
    const clock = vi.spyOn(performance, "now");
    let time = 0;
    const epoch = (milliseconds: number, flops: number) => {
      time += milliseconds;
      needs.flops += flops;
      clock.mockReturnValue(time);
      timer.update();
    };
    for (let i = 0; i < WARM_UP; i++) epoch(1, 1);
    epoch(50, 5);
    epoch(10, 1);
    epoch(20, 2);
    epoch(1, 1);
    const { median, best } = timer.perEpoch(3);
    expect(median).toEqual({ seconds: 0.02, needs: { ...NOTHING, flops: 2 } });
    expect(best).toEqual({ seconds: 0.01, needs: { ...NOTHING, flops: 1 } });
  });
});
