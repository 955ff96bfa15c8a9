import type { EdgeChanges } from "../../backend/backend.ts";
import { breathe } from "../../core/breathe.ts";
import type { Flips } from "../../graph/flips.ts";
import type { AttackTask } from "../attack.ts";
import { openStanding } from "../standing/open-standing.ts";
import type { Standing } from "../standing/standing.ts";
import type { Victim } from "../victim.ts";
import { type Delta, type Individual, symmetricDifference } from "./individual.ts";
import type { PairKeys } from "./pair-keys.ts";

/** Weight of the potential in the fitness if the score counts nodes. A node adds at most 1 to either. */
const POTENTIAL_OF_COUNTS = 1;
/** Its weight for other objectives: it only decides between equal scores. */
const POTENTIAL = 1e-6;
/** How many evaluations are averaged if the predictions of a model are random. */
const REPEATS_IF_RANDOM = 5;

const nothing: Delta = new Set();

/** The individual around which the population gathers: all others are evaluated as changes to it. */
export class Incumbent {
  readonly flips = new Set<number>();
  readonly keys: PairKeys;
  readonly standing: Standing;
  /** How many evaluations are averaged to confirm a fitness: one, unless two of the same graph differ. */
  readonly repeats: number;
  private readonly signal: AttackTask["signal"];
  private readonly potentialWeight: number;
  private meanScore: number;
  private meanFitness: number;

  private constructor(standing: Standing, keys: PairKeys, rules: Rules) {
    this.standing = standing;
    this.keys = keys;
    this.repeats = rules.repeats;
    this.signal = rules.signal;
    this.potentialWeight = rules.potentialWeight;
    this.meanScore = standing.score;
    this.meanFitness = this.fitnessOf(standing.score, standing.potential);
  }

  /** Stands at the clean graph. The caller closes it. */
  static async open(victim: Victim, task: AttackTask, keys: PairKeys): Promise<Incumbent> {
    const standing = await openStanding(victim, task.nodes, task.rng);
    try {
      const { potential } = await standing.gains(changesOf([nothing, nothing], keys));
      const isCount = victim.objective.perNode?.measure === "count";
      const potentialWeight = isCount ? POTENTIAL_OF_COUNTS : POTENTIAL;
      const isRandom = potential[0] !== 0 || potential[1] !== 0;
      const repeats = isRandom ? REPEATS_IF_RANDOM : 1;
      return new Incumbent(standing, keys, { repeats, signal: task.signal, potentialWeight });
    } catch (error) {
      standing.close();
      throw error;
    }
  }

  /** The incumbent as an individual: no change. */
  get self(): Individual {
    return { delta: nothing, score: this.meanScore, fitness: this.meanFitness };
  }

  /** The number of flips after a change. */
  sizeWith(delta: Delta): number {
    let size = this.flips.size;
    for (const key of delta) size += this.flips.has(key) ? -1 : 1;
    return size;
  }

  /** The flips after a change. */
  flipsWith(delta: Delta): Flips {
    return this.keys.toFlips(symmetricDifference(this.flips, delta));
  }

  /** Evaluates changes, in their order. If the search is ended meanwhile, only the first results come back. */
  async evaluate(deltas: readonly Delta[]): Promise<Individual[]> {
    const { standing } = this;
    const { score, potential } = standing;
    const found: Individual[] = [];
    const batch = standing.isPatched ? Math.max(1, deltas.length) : 1; // a whole pass may take seconds
    for (let begin = 0; begin < deltas.length && !this.signal?.aborted; begin += batch) {
      const some = deltas.slice(begin, begin + batch);
      const gains = await standing.gains(changesOf(some, this.keys));
      for (const [k, delta] of some.entries()) {
        const after = score + gains.score[k];
        found.push({ delta, score: after, fitness: this.fitnessOf(after, potential + gains.potential[k]) });
      }
      await breathe(); // lets Ctrl-C and timers through
    }
    return found;
  }

  /**
   * Evaluates the individual again and averages, if evaluations are random, so that luck alone makes none better. Null
   * if the search was ended meanwhile.
   */
  async confirm(individual: Individual): Promise<Individual | null> {
    const { repeats } = this;
    if (repeats === 1) return individual;
    const again = await this.evaluate(new Array<Delta>(repeats).fill(individual.delta));
    if (again.length < repeats) return null;
    const mean = (of: (one: Individual) => number) => again.reduce((sum, one) => sum + of(one), 0) / repeats;
    return { delta: individual.delta, score: mean((one) => one.score), fitness: mean((one) => one.fitness) };
  }

  /**
   * Makes another individual the incumbent. A delta relative to the old one becomes relative to the new one by its
   * {@link symmetricDifference} with the delta of the new one.
   */
  async moveTo({ delta, score, fitness }: Individual): Promise<void> {
    for (const key of delta) if (!this.flips.delete(key)) this.flips.add(key);
    if (delta.size > 0) await this.standing.toggle(this.keys.toFlips(delta));
    await this.standing.refresh();
    const { standing, repeats } = this;
    this.meanScore = repeats > 1 ? score : standing.score;
    this.meanFitness = repeats > 1 ? fitness : this.fitnessOf(standing.score, standing.potential);
  }

  close(): void {
    this.standing.close();
  }

  private fitnessOf(score: number, potential: number): number {
    return score + this.potentialWeight * potential;
  }
}

interface Rules {
  readonly repeats: number;
  readonly signal: AttackTask["signal"];
  readonly potentialWeight: number;
}

function changesOf(deltas: readonly Delta[], keys: PairKeys): EdgeChanges {
  const offsets = new Int32Array(deltas.length + 1);
  for (const [t, delta] of deltas.entries()) offsets[t + 1] = offsets[t] + delta.size;
  const sources = new Int32Array(offsets[deltas.length]);
  const targets = new Int32Array(offsets[deltas.length]);
  let end = 0;
  for (const delta of deltas) {
    for (const key of delta) {
      sources[end] = keys.source(key);
      targets[end++] = keys.target(key);
    }
  }
  return { offsets, sources, targets };
}
