import type { Rng } from "../core/rng.ts";
import type { Flips } from "../graph/flips.ts";
import { Allowance } from "./constraints/allowance.ts";
import type { Constraints } from "./constraints/constraints.ts";

// How attacks choose flips on the host: one by one, by chance, or in steps that may take some back.

/** Pairs chosen one by one; choosing one again changes nothing. */
export class FlipSet {
  private readonly sources: number[] = [];
  private readonly targets: number[] = [];
  private readonly names = new Set<string>();

  get size(): number {
    return this.names.size;
  }

  has(source: number, target: number): boolean {
    return this.names.has(`${source},${target}`);
  }

  add(source: number, target: number): void {
    if (this.has(source, target)) return;
    this.names.add(`${source},${target}`);
    this.sources.push(source);
    this.targets.push(target);
  }

  /** The pairs in ascending order. */
  toFlips(): Flips {
    return ascending({ sources: Int32Array.from(this.sources), targets: Int32Array.from(this.targets) });
  }
}

/** Pairs with the probability that each is flipped. */
export interface WeightedFlips extends Flips {
  readonly weights: Float32Array;
}

/**
 * Chooses each pair independently, with its own probability. Where constraints do not permit all of them, the heaviest
 * are kept.
 */
export function drawFlips({ sources, targets, weights }: WeightedFlips, rng: Rng, constraints?: Constraints): Flips {
  const chosen: number[] = [];
  for (let e = 0; e < weights.length; e++) if (rng.uniform() < weights[e]) chosen.push(e);
  if (constraints) chosen.sort((a, b) => weights[b] - weights[a] || a - b);
  const drawn = {
    sources: Int32Array.from(chosen, (e) => sources[e]),
    targets: Int32Array.from(chosen, (e) => targets[e]),
  };
  return constraints ? ascending(new Allowance(constraints).takeFirst(drawn, chosen.length)) : drawn;
}

/**
 * The flips `made`, in ascending order, with `more` toggled: a pair that is in both is undone. The result is in
 * ascending order. Merges in time linear in `made`, because a greedy attack adds a few flips in each of many steps.
 */
export function toggleFlips(made: Flips, more: Flips): Flips {
  const fresh = ascending(more);
  const length = made.sources.length + fresh.sources.length;
  const sources = new Int32Array(length);
  const targets = new Int32Array(length);
  let end = 0;
  const append = (flips: Flips, k: number) => {
    sources[end] = flips.sources[k];
    targets[end++] = flips.targets[k];
  };
  let m = 0;
  for (let f = 0; f < fresh.sources.length; f++) {
    while (m < made.sources.length && compare(made, m, fresh, f) < 0) append(made, m++);
    if (m < made.sources.length && compare(made, m, fresh, f) === 0) m++;
    else append(fresh, f);
  }
  while (m < made.sources.length) append(made, m++);
  return { sources: sources.slice(0, end), targets: targets.slice(0, end) };
}

/**
 * The first `count` of `flips` that are not in `made` and that constraints permit in addition to it. `made` is in
 * ascending order.
 */
export function firstWithout(made: Flips, flips: Flips, count: number, constraints?: Constraints): Flips {
  return new Allowance(constraints, made).takeFirst(flips, count, (k) => !includes(made, flips, k));
}

/** Whether the ascending flips `made` hold pair k of `flips`. */
function includes(made: Flips, flips: Flips, k: number): boolean {
  let low = 0;
  let high = made.sources.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(made, middle, flips, k) < 0) low = middle + 1;
    else high = middle;
  }
  return low < made.sources.length && compare(made, low, flips, k) === 0;
}

/**
 * Sorts pairs by source, then by target. Sorts them as 64-bit numbers, which is fast: a step on millions of nodes flips
 * hundreds of thousands.
 */
export function ascending({ sources, targets }: Flips): Flips {
  const keys = new BigUint64Array(sources.length);
  const words = new Uint32Array(keys.buffer);
  for (let k = 0; k < sources.length; k++) {
    words[2 * k + LOW] = targets[k];
    words[2 * k + 1 - LOW] = sources[k];
  }
  keys.sort();
  return {
    sources: Int32Array.from(sources, (_, k) => words[2 * k + 1 - LOW]),
    targets: Int32Array.from(targets, (_, k) => words[2 * k + LOW]),
  };
}

/** Which word of a 64-bit number is the low one. */
const LOW = new Uint32Array(BigUint64Array.of(1n).buffer)[0] === 1 ? 0 : 1;

function compare(a: Flips, k: number, b: Flips, l: number): number {
  return a.sources[k] - b.sources[l] || a.targets[k] - b.targets[l];
}
