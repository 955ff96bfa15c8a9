import { overRounds } from "./rounds.ts";

/**
 * Milliseconds of the steps of a round, in this order. "Both" is forward and backward of the sum of the result. Every
 * step ends by reading one number. The sum and the reading are also measured alone, so that they can be subtracted.
 */
export interface AggregationRound {
  readonly productBefore: number;
  readonly median: number;
  readonly productBetween: number;
  readonly medianBoth: number;
  readonly productAfter: number;
  readonly productBoth: number;
  readonly sum: number;
  readonly readOne: number;
}

interface Passes {
  readonly forward: number;
  readonly backward: number;
}

/** Soft Median compared with the sparse product: medians over the rounds. */
export interface AggregationTimes {
  /** Milliseconds; `backward` computes the gradients by weights and features. */
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

/** Times and ratios of one round. */
function comparison(round: AggregationRound) {
  const { productBefore, productBetween, productAfter, sum, readOne } = round;
  const medianBoth = round.medianBoth - sum;
  const productBoth = round.productBoth - sum; // the time of the sum includes the reading
  const median = round.median - readOne;
  const product = (productBetween + productAfter) / 2 - readOne;
  const forward = median / ((productBefore + productBetween) / 2 - readOne);
  const both = medianBoth / product;
  return { product, median, medianBoth, productBoth, forward, both };
}
