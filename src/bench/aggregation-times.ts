import { overRounds } from "./rounds.ts";

/**
 * Milliseconds of what takes turns in a round, in this order. "Both" is forward and backward of the sum of the result. Every step
 * ends with a look at a number. The sum and the look are measured by themselves, too, because they are no part of an aggregation.
 */
export type AggregationRound = readonly [
  productBefore: number,
  median: number,
  productBetween: number,
  medianBoth: number,
  productAfter: number,
  productBoth: number,
  sum: number,
  look: number,
];

interface Passes {
  readonly forward: number;
  readonly backward: number;
}

/** Soft Median beside the sparse product: medians over the rounds. */
export interface AggregationTimes {
  /** Milliseconds; `backward` gives the gradients by weights and features. */
  readonly product: Passes;
  readonly softMedian: Passes;
  /** Soft Median / one sparse product, which is the mean of those right before and right after it. */
  readonly ratio: Passes & { readonly both: number };
  /** Soft Median / the sparse product, both forward and backward. */
  readonly timesPlain: number;
}

export function aggregationTimes(measured: readonly AggregationRound[]): AggregationTimes {
  const rounds = measured.map(comparison);
  return {
    product: {
      forward: overRounds(rounds, ({ product }) => product),
      backward: overRounds(rounds, ({ product, productBoth }) => productBoth - product),
    },
    softMedian: {
      forward: overRounds(rounds, ({ median }) => median),
      backward: overRounds(rounds, ({ median, medianBoth }) => medianBoth - median),
    },
    ratio: {
      forward: overRounds(rounds, ({ forward }) => forward),
      backward: overRounds(rounds, ({ forward, both }) => both - forward),
      both: overRounds(rounds, ({ both }) => both),
    },
    timesPlain: overRounds(rounds, ({ medianBoth, productBoth }) => medianBoth / productBoth),
  };
}

/** What one round says. */
function comparison([before, forwardOnly, between, medianAndSum, after, productAndSum, sum, look]: AggregationRound) {
  const medianBoth = medianAndSum - sum;
  const productBoth = productAndSum - sum; // the sum ends with the look
  const median = forwardOnly - look;
  const product = (between + after) / 2 - look;
  const forward = median / ((before + between) / 2 - look);
  const both = medianBoth / product;
  return { product, median, medianBoth, productBoth, forward, both };
}
