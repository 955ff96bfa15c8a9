import { describe, expect, test } from "vitest";
import { numPairs } from "./budget.ts";
import { AdaptiveStep, firstRate, PublishedStep } from "./step-size.ts";

describe("the published step of PR-BCD", () => {
  const coraMl = { numNodes: 2810, directed: false };
  const first = (blockSize: number) => firstRate(100, { blockSize, outOf: numPairs(coraMl) }, { budget: 798 }, coraMl);

  test("is 28.1 on Cora ML with a block of a million and a tenth of the edges, 75.3 with 100,000", () => {
    expect(first(1_000_000)).toBeCloseTo(28.1, 1);
    expect(first(100_000)).toBeCloseTo(75.3, 1);
  });
  test("does not fall below the factor where the block holds half of all pairs or more", () => {
    expect(first(3_000_000)).toBeCloseTo((798 / 5620) * 100, 12);
  });
  test("stays while blocks change and then falls with the root of the epochs", () => {
    const step = new PublishedStep(28, { epochs: 400, fineTuneEpochs: 100 });
    expect([0, 299, 300, 303].map((epoch) => step.rate(epoch))).toEqual([28, 28, 28, 14]);
  });
});

describe("the adaptive step of PR-BCD", () => {
  const EPOCHS = 400;
  /** Rates of a run in which λ is `shiftOf(rate)`, reported an epoch late as in an attack. */
  function ratesOf(step: AdaptiveStep, shiftOf: (rate: number) => number): number[] {
    const rates: number[] = [];
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      rates.push(step.rate(epoch));
      if (epoch > 0) step.observe(shiftOf(rates[epoch - 1]));
    }
    return rates;
  }

  test("finds the rate that lowers weights as wanted, whatever the scale of the gradient", () => {
    for (const scale of [1e-4, 1, 1e4]) {
      const rates = ratesOf(new AdaptiveStep(1, EPOCHS, 160), (rate) => scale * rate);
      expect(scale * rates[40]).toBeCloseTo((0.9 * 3 ** (-40 / 160)) / 20, 2);
      expect(scale * rates[160]).toBeCloseTo(0.3 / 20, 3);
    }
  });
  test("stays after the epochs in which it adapts", () => {
    const rates = ratesOf(new AdaptiveStep(1, EPOCHS, 160), (rate) => rate);
    expect(new Set(rates.slice(160)).size).toBe(1);
  });
  test("takes smaller steps in longer runs", () => {
    const at = (epochs: number) => {
      const step = new AdaptiveStep(1, epochs, 30);
      step.rate(0);
      step.observe(1);
      return step.rate(1);
    };
    expect(at(100) / at(400)).toBeCloseTo(Math.sqrt(2), 12); // the root of a λ twice as large
  });
  test("rises to a limit, never beyond, if no step spends the budget", () => {
    const rates = ratesOf(new AdaptiveStep(3, EPOCHS, EPOCHS), () => 0);
    expect(Math.max(...rates)).toBe(3 * 2 ** 20);
  });
  test("comes back within few epochs from a rate that is far too large", () => {
    const rates = ratesOf(new AdaptiveStep(1e6, EPOCHS, EPOCHS), (rate) => rate);
    expect(rates[12]).toBeLessThan(0.1);
  });
});
