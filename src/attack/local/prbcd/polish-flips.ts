import type { StopSignal } from "../../../core/stop-signal.ts";
import { closer, type FlipTrials, type TriedFlips } from "./flip-trials.ts";
import type { RelaxedNode } from "./relaxed-node.ts";

/** How flips are improved on the discrete graph. */
export interface PolishOptions {
  readonly budget: number;
  /** Most discrete graphs that are tried. */
  readonly evaluations: number;
  readonly signal?: StopSignal | undefined;
}

/**
 * Candidates that are tried for one flip: this many, or this share of the evaluations if that is fewer; more if the
 * budget is small.
 */
const RIVALS = 40;
const LARGEST_SHARE = 1 / 8;
/** With a small budget, the evaluations are spread over this many tries of candidates for each flip. */
const ROUNDS = 6;
/** Flips that are exchanged in one round: those that help least. */
const EXCHANGED = 4;
/** Up to this budget flips are also chosen one by one from nothing; a larger one starts from the relaxed search alone. */
const MOST_GREEDY = 12;

/**
 * Improves flips by trying the most promising candidates on the discrete graph: drops flips that do not help, adds more
 * while that helps, and exchanges those that help least for better ones. With a small budget it also chooses flips one
 * by one from nothing, and starts from the better of both. The result is never further from the goal than `start` (rule
 * B6).
 */
export async function polishFlips(
  node: RelaxedNode,
  trials: FlipTrials,
  start: TriedFlips,
  options: PolishOptions,
): Promise<TriedFlips> {
  const polish = new Polish(node, trials, options);
  const greedy = options.budget <= MOST_GREEDY ? await polish.extend(await trials.try([])) : start;
  let best = closer(start, greedy);
  for (let before = Number.POSITIVE_INFINITY; best.distance < before && !polish.isOver; ) {
    before = best.distance;
    best = await polish.extend(await polish.dropUseless(best));
    best = await polish.exchange(best);
  }
  return polish.dropUseless(best);
}

class Polish {
  private readonly node: RelaxedNode;
  private readonly trials: FlipTrials;
  private readonly options: PolishOptions;
  private readonly rivals: number;

  constructor(node: RelaxedNode, trials: FlipTrials, options: PolishOptions) {
    this.node = node;
    this.trials = trials;
    this.options = options;
    const { evaluations, budget } = options;
    const usual = Math.min(RIVALS, Math.ceil(LARGEST_SHARE * evaluations));
    this.rivals = Math.max(usual, Math.floor(evaluations / (ROUNDS * budget)));
  }

  get isOver(): boolean {
    return this.trials.spent >= this.options.evaluations || (this.options.signal?.aborted ?? false);
  }

  /** Adds one flip after the other, each the best of the most promising, while that helps and the budget allows. */
  async extend(flips: TriedFlips): Promise<TriedFlips> {
    let current = flips;
    while (current.places.length < this.options.budget && !this.isOver) {
      const next = await this.bestAddition(current.places, current);
      if (next === current) break;
      current = next;
    }
    return current;
  }

  /** Leaves out every flip without which the goal is no further away. */
  async dropUseless(flips: TriedFlips): Promise<TriedFlips> {
    let current = flips;
    for (const place of flips.places) {
      if (this.options.signal?.aborted) break;
      const without = await this.trials.try(current.places.filter((other) => other !== place));
      if (without.distance <= current.distance) current = without;
    }
    return current;
  }

  /** Replaces the flips that help least, each by the best of the most promising others, where one is better. */
  async exchange(flips: TriedFlips): Promise<TriedFlips> {
    let current = flips;
    for (const place of await this.leastHelpful(flips)) {
      if (this.isOver) break;
      const others = current.places.filter((other) => other !== place);
      current = await this.bestAddition(others, current);
    }
    return current;
  }

  private async leastHelpful({ places }: TriedFlips): Promise<number[]> {
    const without: { place: number; distance: number }[] = [];
    for (const place of places) {
      const { distance } = await this.trials.try(places.filter((other) => other !== place));
      without.push({ place, distance });
    }
    without.sort((a, b) => a.distance - b.distance);
    return without.slice(0, EXCHANGED).map(({ place }) => place);
  }

  /** The closest of `soFar` and of `places` with one more. */
  private async bestAddition(places: readonly number[], soFar: TriedFlips): Promise<TriedFlips> {
    let best = soFar;
    for (const place of await this.mostPromising(places)) {
      if (this.isOver) break;
      best = closer(best, await this.trials.try([...places, place]));
    }
    return best;
  }

  /** Candidates that seem best at the graph with `places` flipped, best first. */
  private async mostPromising(places: readonly number[]): Promise<number[]> {
    const estimates = await this.node.estimate(places);
    const taken = new Set(places);
    const others = [...estimates.keys()].filter((e) => !taken.has(e));
    return others.sort((a, b) => estimates[a] - estimates[b] || a - b).slice(0, this.rivals);
  }
}
