import type { Backend } from "../backend.ts";

/** Saves the share of each entry; the gradient by the features is computed from two terms per entry. */
export function softMedianSteps(parts: Backend): Backend["softMedianSteps"] {
  return {
    sizes: (_, numEntries) => ({ kept: numEntries, terms: 2 * numEntries }),
    forward({ Y, median, at, kept }, { S, X, cols, temperature }) {
      parts.softMedian({ out: Y, saved: { median, at, shares: kept }, S, X, cols, temperature });
    },
    rowGrads(values, toX, dY, { S, X, cols, temperature }, { median, at, kept }) {
      parts.softMedianGrad({ values, toX, dY, S, X, saved: { median, at, shares: kept }, cols, temperature });
    },
    featureGrads({
      dX,
      transposed: { pattern, order },
      toX: { terms, medianGrad },
      dY,
      of: { X, cols },
      from: { median, at },
    }) {
      const held = { grad: medianGrad, at };
      parts.pullRows(dX, pattern, { terms, order, G: dY, M: median, X, held }, cols);
    },
  };
}
