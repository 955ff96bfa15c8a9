import type { Flips } from "../../graph/flips.ts";

/** How far the sum at a node may be from its limit. */
const TOLERANCE = 1e-5;
/** Newton's method takes only a handful of steps, because the function has finitely many linear pieces. */
const MAX_STEPS = 100;
/** Limit of the visits per node, on average: far more than it takes. */
const MAX_VISITS = 300;

/**
 * The multipliers μ ≥ 0 of limits per node: with p = clip(v − λ − μ_i − μ_j, 0, 1) the sum at each node is at most its
 * limit, and at the limit where μ > 0. For a given λ they maximise the dual of the projection onto the limits, which is
 * concave. One multiplier at a time is found exactly with the others fixed; a node is visited again if a change at
 * another one affects it.
 *
 * The pairs at a node are in descending order of v, so that a visit ends at the first pair that its multiplier alone
 * brings to 0. Few pairs come before it, even where hundreds of thousands have a value above 0.
 */
export class NodeMultipliers {
  private readonly limitOf: (node: number) => number;
  private readonly mu: Float64Array;
  private pairs: Flips = { sources: new Int32Array(0), targets: new Int32Array(0) };
  private values: Float64Array = new Float64Array(0);
  /** Nodes whose limit could be exceeded, and the pairs at each: their values and other ends. */
  private nodes: Int32Array = new Int32Array(0);
  private readonly rowPtr: Int32Array;
  private incidentValues = new Float64Array(0);
  private otherEnds = new Int32Array(0);
  /** Of the node that is visited: for each pair, v − λ − μ of the other end, and that end. */
  private left = new Float64Array(0);
  private leftEnds = new Int32Array(0);
  private numLeft = 0;

  constructor(numNodes: number, limitOf: (node: number) => number) {
    this.limitOf = limitOf;
    this.mu = new Float64Array(numNodes);
    this.rowPtr = new Int32Array(numNodes + 1);
  }

  /** Replaces the pairs. Multipliers stay, as a start. */
  take(pairs: Flips, values: Float64Array): void {
    this.pairs = pairs;
    this.values = values;
    const counts = this.countAtTightNodes();
    const { rowPtr } = this;
    for (let u = 0; u < counts.length; u++) rowPtr[u + 1] = rowPtr[u] + counts[u];
    this.nodes = nodesWith(counts);
    this.incidentValues = new Float64Array(rowPtr[counts.length]);
    this.otherEnds = new Int32Array(rowPtr[counts.length]);
    const widest = counts.reduce((most, count) => Math.max(most, count), 0);
    this.left = new Float64Array(widest);
    this.leftEnds = new Int32Array(widest);
    if (widest > 0) this.fillRows(counts);
  }

  /** Finds the multipliers for a given λ and returns the sum of the weights. */
  solve(lambda: number): number {
    const { nodes, rowPtr, mu } = this;
    const queue = Array.from(nodes);
    const isQueued = new Uint8Array(mu.length);
    for (const u of nodes) isQueued[u] = 1;
    for (let visit = 0; visit < queue.length && visit < MAX_VISITS * nodes.length; visit++) {
      const u = queue[visit];
      const before = mu[u];
      isQueued[u] = 0;
      if (!this.settle(u, lambda)) continue;
      const lower = Math.min(before, mu[u]); // pairs with `left` below this have weight 0 before and after
      for (let k = 0; k < this.numLeft; k++) {
        const w = this.leftEnds[k];
        if (isQueued[w] || this.left[k] <= lower || rowPtr[w] === rowPtr[w + 1]) continue;
        isQueued[w] = 1;
        queue.push(w);
      }
    }
    let sum = 0;
    for (let e = 0; e < this.values.length; e++) sum += this.weight(e, lambda);
    return sum;
  }

  weights(lambda: number): Float64Array {
    return this.values.map((_, e) => this.weight(e, lambda));
  }

  private weight(e: number, lambda: number): number {
    return clip(this.values[e] - lambda - this.mu[this.pairs.sources[e]] - this.mu[this.pairs.targets[e]]);
  }

  /** The number of pairs at each node whose sum could exceed its limit; 0 at all others, whose multiplier is 0. */
  private countAtTightNodes(): Int32Array {
    const { pairs, values, mu } = this;
    const sums = new Float64Array(mu.length);
    const counts = new Int32Array(mu.length);
    for (const ends of [pairs.sources, pairs.targets]) {
      for (let e = 0; e < values.length; e++) {
        sums[ends[e]] += clip(values[e]);
        counts[ends[e]]++;
      }
    }
    for (let u = 0; u < mu.length; u++) {
      if (counts[u] > 0 && sums[u] > this.limitOf(u)) continue;
      counts[u] = 0;
      mu[u] = 0;
    }
    return counts;
  }

  private fillRows(counts: Int32Array): void {
    const { pairs, values, rowPtr, incidentValues, otherEnds } = this;
    const next = rowPtr.slice();
    for (let e = 0; e < values.length; e++) {
      const i = pairs.sources[e];
      const j = pairs.targets[e];
      if (counts[i] > 0) {
        incidentValues[next[i]] = values[e];
        otherEnds[next[i]++] = j;
      }
      if (counts[j] > 0) {
        incidentValues[next[j]] = values[e];
        otherEnds[next[j]++] = i;
      }
    }
    for (const u of this.nodes) sortTogether(incidentValues, otherEnds, rowPtr[u], rowPtr[u + 1]);
  }

  /** Sets the multiplier of node u so that the node keeps its limit, all others fixed; false if it did already. */
  private settle(u: number, lambda: number): boolean {
    const limit = this.limitOf(u);
    const before = this.mu[u];
    let lowest = 0.75 * before; // a guess: if the multiplier is lower, all pairs are looked at
    this.gather(u, lambda, lowest);
    const { sum } = this.sumAt(before);
    if (sum <= limit + TOLERANCE / 4 && (before === 0 || sum >= limit - TOLERANCE / 4)) return false;
    if (lowest > 0 && sum < limit && this.sumAt(lowest).sum < limit) {
      lowest = 0;
      this.gather(u, lambda, lowest);
    }
    this.mu[u] = this.sumAt(lowest).sum <= limit ? lowest : this.root(limit, lowest, before);
    return true;
  }

  /** Gathers the pairs of node u with v − λ − μ of the other end above `lowest`. */
  private gather(u: number, lambda: number, lowest: number): void {
    const { rowPtr, incidentValues, otherEnds, mu, left, leftEnds } = this;
    const end = rowPtr[u + 1];
    const bound = lambda + lowest;
    let size = 0;
    for (let k = rowPtr[u]; k < end && incidentValues[k] > bound; k++) {
      const rest = incidentValues[k] - lambda - mu[otherEnds[k]];
      if (rest <= lowest) continue;
      left[size] = rest;
      leftEnds[size++] = otherEnds[k];
    }
    this.numLeft = size;
  }

  /**
   * The μ at which the sum is `limit`: Newton's method on a piecewise linear function, bisection if a step leaves the
   * bracket.
   */
  private root(limit: number, lowest: number, start: number): number {
    let low = lowest;
    let high = lowest;
    for (let k = 0; k < this.numLeft; k++) high = Math.max(high, this.left[k]);
    let mu = start > low && start < high ? start : low;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { sum, inside } = this.sumAt(mu);
      const excess = sum - limit;
      if (Math.abs(excess) <= TOLERANCE / 16) break;
      if (excess > 0) low = mu;
      else high = mu;
      const newton = mu + excess / inside;
      mu = newton > low && newton < high ? newton : (low + high) / 2;
    }
    return mu;
  }

  /** The sum of the weights at the node that was gathered, and how many of them are inside (0, 1). */
  private sumAt(mu: number): { sum: number; inside: number } {
    const { left, numLeft } = this;
    let sum = 0;
    let inside = 0;
    for (let k = 0; k < numLeft; k++) {
      const value = left[k] - mu;
      if (value >= 1) sum++;
      else if (value > 0) {
        sum += value;
        inside++;
      }
    }
    return { sum, inside };
  }
}

/**
 * Sorts `values`, all positive, from `begin` to `end`, largest first, and moves `others` along with them. Each value
 * shares a double with its place, because doubles are sorted natively; it is rounded to the bits that the place leaves.
 */
function sortTogether(values: Float64Array, others: Int32Array, begin: number, end: number): void {
  const before = values.slice(begin, end);
  const othersBefore = others.slice(begin, end);
  const largest = before.reduce((most, value) => Math.max(most, value), 0);
  const places = 2 ** Math.ceil(Math.log2(before.length + 1));
  const steps = 2 ** 52 / places - 1;
  const keys = before.map((value, k) => Math.floor((1 - value / largest) * steps) * places + k).sort();
  for (let k = 0; k < keys.length; k++) {
    const place = keys[k] % places;
    values[begin + k] = before[place];
    others[begin + k] = othersBefore[place];
  }
}

function clip(x: number): number {
  return Math.min(Math.max(x, 0), 1);
}

function nodesWith(counts: Int32Array): Int32Array {
  const nodes: number[] = [];
  for (let u = 0; u < counts.length; u++) if (counts[u] > 0) nodes.push(u);
  return Int32Array.from(nodes);
}
