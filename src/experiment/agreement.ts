/** How far two lists of scores for the same things agree. */
export interface Agreement {
  /** Cosine of the angle between them. */
  readonly cosine: number;
  /** Spearman's correlation of their ranks. */
  readonly rankCorrelation: number;
  /**
   * Of the largest scores of one list (a share `topShare` of all), the share that is also among the largest of the
   * other.
   */
  readonly topOverlap: number;
}

export function agreement(a: ArrayLike<number>, b: ArrayLike<number>, topShare: number): Agreement {
  const ranksA = ranksOf(a);
  const ranksB = ranksOf(b);
  const top = Math.max(1, Math.round(topShare * a.length));
  let both = 0;
  for (let t = 0; t < a.length; t++) both += Number(ranksA[t] >= a.length - top && ranksB[t] >= a.length - top);
  const middle = (a.length - 1) / 2;
  const centred = (ranks: Float64Array) => ranks.map((rank) => rank - middle);
  return {
    cosine: cosineOf(a, b),
    rankCorrelation: cosineOf(centred(ranksA), centred(ranksB)),
    topOverlap: both / top,
  };
}

/** Rank of each score, 0 for the smallest; ties in list order. */
function ranksOf(x: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: x.length }, (_, t) => t).sort((s, t) => x[s] - x[t] || s - t);
  const ranks = new Float64Array(x.length);
  for (const [rank, t] of order.entries()) ranks[t] = rank;
  return ranks;
}

function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let t = 0; t < a.length; t++) {
    product += a[t] * b[t];
    squaresA += a[t] ** 2;
    squaresB += b[t] ** 2;
  }
  return product / Math.sqrt(squaresA * squaresB);
}
