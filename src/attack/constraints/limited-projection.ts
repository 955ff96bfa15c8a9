import type { Flips } from "../../graph/flips.ts";

/** What weights are projected onto: Σ p ≤ budget, Σ over the pairs at a node ≤ its limit, 0 ≤ p ≤ 1. */
export interface Limits {
  readonly budget: number;
  readonly limitOf: (node: number) => number;
}

/** Sums may be this far from a limit. */
const TOLERANCE = 1e-6;
/** The search for a multiplier ends after this many steps at the latest; it takes about ten. */
const MAX_STEPS = 200;
/** Visits of a node, on average, after which its multiplier is close enough. */
const MAX_VISITS = 300;

/**
 * Euclidean projection with a budget for all pairs and a limit for each node, up to a tolerance of 1e-6 in the sums.
 *
 * By duality p = clip(v − λ − μ_i − μ_j, 0, 1) with a multiplier λ ≥ 0 for the budget and μ ≥ 0 for each node, positive only where the
 * sum is at its limit. For fixed λ the μ are found node by node, each exactly, visiting again those that others have disturbed:
 * coordinate ascent on the dual. The total falls as λ rises, so λ is found by bisection, sped up by interpolation.
 *
 * `pairs` must hold all pairs whose value is above `least`, and nothing is lost by leaving out others, as long as λ is not below
 * it. Null if it is: then more pairs are needed.
 */
export function projectWithinLimits(
  pairs: Flips,
  values: ArrayLike<number>,
  limits: Limits,
  least: number,
): Float64Array | null {
  const dual = new NodeDual(pairs, values, limits.limitOf);
  const excess = (lambda: number) => dual.solve(lambda) - limits.budget;
  const atLeast = excess(least);
  if (atLeast <= TOLERANCE) return least === 0 ? dual.weights : null;
  let low = { at: least, excess: atLeast };
  let high = { at: maximum(values), excess: -limits.budget };
  let lastSide = 0;
  for (let step = 0; step < MAX_STEPS && high.at - low.at > 1e-12; step++) {
    const share = low.excess / (low.excess - high.excess);
    const at = low.at + Math.min(Math.max(share, 0.001), 0.999) * (high.at - low.at);
    const here = { at, excess: excess(at) };
    if (Math.abs(here.excess) <= TOLERANCE) break;
    const side = Math.sign(here.excess);
    // Illinois: the end that stays twice counts half, so that both ends move.
    if (side > 0) {
      low = here;
      if (side === lastSide) high = { ...high, excess: high.excess / 2 };
    } else {
      high = here;
      if (side === lastSide) low = { ...low, excess: low.excess / 2 };
    }
    lastSide = side;
  }
  return dual.weights;
}

/** The multipliers of the nodes for a given λ. */
class NodeDual {
  private readonly values: ArrayLike<number>;
  /** Ends of each pair, as places in the list of nodes that occur. */
  private readonly ends: readonly [Int32Array, Int32Array];
  private readonly limits: Float64Array;
  /** Pairs at each node. */
  private readonly rowPtr: Int32Array;
  private readonly incident: Int32Array;
  private readonly mu: Float64Array;
  private lambda = 0;

  constructor({ sources, targets }: Flips, values: ArrayLike<number>, limitOf: (node: number) => number) {
    const places = new Map<number, number>();
    const placeOf = (node: number) => {
      const place = places.get(node) ?? places.size;
      places.set(node, place);
      return place;
    };
    this.values = values;
    this.ends = [Int32Array.from(sources, placeOf), Int32Array.from(targets, placeOf)];
    this.limits = Float64Array.from(places.keys(), limitOf);
    this.mu = new Float64Array(places.size);
    this.rowPtr = new Int32Array(places.size + 1);
    for (const ends of this.ends) for (const place of ends) this.rowPtr[place + 1]++;
    for (let u = 0; u < places.size; u++) this.rowPtr[u + 1] += this.rowPtr[u];
    this.incident = new Int32Array(2 * values.length);
    const next = this.rowPtr.slice();
    for (const ends of this.ends) for (const [e, place] of ends.entries()) this.incident[next[place]++] = e;
  }

  /** Finds the multipliers, starting from the last ones, and returns the sum of the weights. */
  solve(lambda: number): number {
    this.lambda = lambda;
    const size = this.mu.length;
    const queue = Array.from({ length: size }, (_, u) => u);
    const isQueued = new Uint8Array(size).fill(1);
    for (let visit = 0; visit < queue.length && visit < MAX_VISITS * size; visit++) {
      const u = queue[visit];
      isQueued[u] = 0;
      if (!this.settle(u)) continue;
      for (let k = this.rowPtr[u]; k < this.rowPtr[u + 1]; k++) {
        const w = this.otherEnd(this.incident[k], u);
        if (isQueued[w]) continue;
        isQueued[w] = 1;
        queue.push(w);
      }
    }
    return this.weights.reduce((sum, weight) => sum + weight, 0);
  }

  get weights(): Float64Array {
    return Float64Array.from(this.values, (_, e) => clip(this.value(e)));
  }

  /** Gives node u the multiplier that its limit asks for, all others fixed; false if it had it already. */
  private settle(u: number): boolean {
    const limit = this.limits[u];
    const sum = this.sumAt(u, this.mu[u]);
    const isRight = this.mu[u] > 0 ? Math.abs(sum - limit) <= TOLERANCE / 4 : sum <= limit + TOLERANCE / 4;
    if (isRight) return false;
    this.mu[u] = this.sumAt(u, 0) <= limit ? 0 : this.root(u, limit);
    return true;
  }

  /** μ with a sum of `limit`: Newton's method on a function that is linear in pieces, bisection where it leaves the bracket. */
  private root(u: number, limit: number): number {
    let low = 0;
    let high = this.largestAt(u);
    let mu = this.mu[u] > low && this.mu[u] < high ? this.mu[u] : 0;
    for (let step = 0; step < MAX_STEPS; step++) {
      const excess = this.sumAt(u, mu) - limit;
      if (Math.abs(excess) <= TOLERANCE / 16) break;
      if (excess > 0) low = mu;
      else high = mu;
      const slope = this.numInside(u, mu);
      const newton = mu + excess / slope;
      mu = slope > 0 && newton > low && newton < high ? newton : (low + high) / 2;
    }
    return mu;
  }

  /** v − λ − μ_i − μ_j */
  private value(e: number): number {
    return this.values[e] - this.lambda - this.mu[this.ends[0][e]] - this.mu[this.ends[1][e]];
  }

  /** The same without the multiplier of u. */
  private valueWithout(u: number, k: number): number {
    const e = this.incident[k];
    return this.values[e] - this.lambda - this.mu[this.otherEnd(e, u)];
  }

  private sumAt(u: number, mu: number): number {
    let sum = 0;
    for (let k = this.rowPtr[u]; k < this.rowPtr[u + 1]; k++) sum += clip(this.valueWithout(u, k) - mu);
    return sum;
  }

  private numInside(u: number, mu: number): number {
    let count = 0;
    for (let k = this.rowPtr[u]; k < this.rowPtr[u + 1]; k++) {
      const value = this.valueWithout(u, k) - mu;
      if (value > 0 && value < 1) count++;
    }
    return count;
  }

  private largestAt(u: number): number {
    let largest = 0;
    for (let k = this.rowPtr[u]; k < this.rowPtr[u + 1]; k++) largest = Math.max(largest, this.valueWithout(u, k));
    return largest;
  }

  private otherEnd(e: number, u: number): number {
    return this.ends[0][e] === u ? this.ends[1][e] : this.ends[0][e];
  }
}

function clip(x: number): number {
  return Math.min(Math.max(x, 0), 1);
}

function maximum(values: ArrayLike<number>): number {
  let largest = 0;
  for (let e = 0; e < values.length; e++) largest = Math.max(largest, values[e]);
  return largest;
}
