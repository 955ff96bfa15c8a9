import type { Backend } from "../backend.ts";

/** Adds up the terms one by one, then multiplies by the signs. */
export function pairTerms(parts: Backend): Backend["pairTerms"] {
  return (out, pairs, { products, sums }, { signs = null, accumulate = false } = {}) => {
    const symmetric = !pairs.directed;
    let isLater = accumulate;
    for (const { P, Q, cols } of products) {
      parts.sddmm({ out, pairs, P, Q, cols, symmetric, accumulate: isLater });
      isLater = true;
    }
    for (const { x, ends } of sums) {
      parts.pairSums({ out, pairs, x, ends, accumulate: isLater });
      isLater = true;
    }
    const gradient = parts.view(out, 0, pairs.length);
    if (!isLater) parts.fill(gradient, 0);
    if (signs) parts.binary("mul", gradient, gradient, signs);
  };
}
