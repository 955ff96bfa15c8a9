import { afterEach, describe, expect, test, vi } from "vitest";
import type { Ceilings } from "./ceilings.ts";
import { EpochTimer, WARM_UP } from "./epoch-timer.ts";

const NOTHING = { flops: 0, gather: 0, shared: 0, cached: 0, stream: 0, words: 0 };

describe("an epoch timer", () => {
  afterEach(() => vi.restoreAllMocks());

  /** Epochs of so many milliseconds, each with ten times as many flops, measured with a sampler that takes a second. */
  function timed(milliseconds: readonly number[], count: number) {
    const needs = { ...NOTHING };
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const moments: number[] = [];
    const sample = (): Ceilings => {
      moments.push(time);
      time += 1000;
      return { threads: moments.length, ...NOTHING };
    };
    const timer = new EpochTimer(needs, sample, count);
    for (const epoch of milliseconds) {
      time += epoch;
      needs.flops += 10 * epoch;
      timer.update();
    }
    return { ...timer.result(), moments };
  }

  test("reports time and needs of the median epoch and of the shortest, and none from before or behind", () => {
    const { median, best } = timed([...Array(WARM_UP).fill(1), 50, 10, 20, 1], 3);
    expect(median).toEqual({ seconds: 0.02, needs: { ...NOTHING, flops: 200 } });
    expect(best).toEqual({ seconds: 0.01, needs: { ...NOTHING, flops: 100 } });
  });
  test("samples ceilings before, between and behind the timed epochs, at nobody's expense", () => {
    const { median, ceilings, moments } = timed([...Array(WARM_UP).fill(1), 20, 20, 20, 1, 1], 3);
    const first = WARM_UP;
    expect(moments).toEqual([first, first + 1020, first + 2040, first + 3060]);
    expect(ceilings.map(({ threads }) => threads)).toEqual([1, 2, 3, 4]);
    expect(median.seconds).toBe(0.02);
  });
  test("samples about eight times among many epochs", () => {
    expect(timed(Array(WARM_UP + 100 + 2).fill(5), 100).ceilings).toHaveLength(9);
  });
});
