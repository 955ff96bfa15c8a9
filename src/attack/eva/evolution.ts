import type { Rng } from "../../core/rng.ts";
import type { Flips } from "../../graph/flips.ts";
import { hostGraph } from "../../tensor/index.ts";
import type { AttackTask } from "../attack.ts";
import type { Victim } from "../victim.ts";
import { combineBest, combineGenes, withoutDispensable } from "./combine.ts";
import { uniformCrossover, unite } from "./crossover.ts";
import type { EvaOptions } from "./eva.ts";
import { FreshPairs } from "./fresh-pairs.ts";
import { GenePool } from "./gene-pool.ts";
import type { Incumbent } from "./incumbent.ts";
import { type Individual, symmetricDifference } from "./individual.ts";
import { mutate } from "./mutate.ts";
import { openNodes } from "./open-nodes.ts";
import { probe } from "./probe.ts";
import { Repair } from "./repair.ts";
import { isFitter, nearby, survivors, tournament } from "./select.ts";

/** Divides the number of probes if each is a forward pass: a single pair then costs as much as a whole individual. */
const FEWER_PROBES = 16;
/** Mutation grows stronger while no child is better than the incumbent, and weaker when one is. */
const STRONGER = 1.05;
const WEAKER = 0.9;
const WEAKEST = 0.5;
const STRONGEST = 6;
/** Share of the budget that a single mutation may spend. */
const LARGEST_MUTATION = 0.25;
/** Random sets at the beginning if each evaluation is a forward pass: these are too few to grow a set from nothing. */
const IMMIGRANTS = 4;
/** Share of the flips that are thrown away when a population has converged. */
const SHAKEN = 0.15;

/** The strongest flips that were seen. */
export interface Champion {
  readonly flips: Flips;
  readonly score: number;
  readonly fitness: number;
}

/** A population and the incumbent around which it gathers, from generation to generation. */
export class Evolution {
  private readonly victim: Victim;
  private readonly task: AttackTask;
  private readonly config: EvaOptions;
  private readonly incumbent: Incumbent;
  private readonly rng: Rng;
  private readonly pool: GenePool;
  private readonly fresh: FreshPairs;
  private readonly repair: Repair;
  private population: Individual[] = [];
  private strength: number;
  /** Generations since the incumbent was last replaced. */
  private idle = 0;
  private best: Champion;

  constructor(victim: Victim, task: AttackTask, config: EvaOptions, incumbent: Incumbent) {
    const graph = hostGraph(victim.view, "eva");
    const { budget, constraints, rng } = task;
    this.victim = victim;
    this.task = task;
    this.config = config;
    this.incumbent = incumbent;
    this.rng = rng;
    this.pool = new GenePool(incumbent.keys, graph.numNodes, budget);
    this.fresh = new FreshPairs(graph, incumbent.keys, constraints, rng);
    this.repair = new Repair(incumbent, this.pool, { budget, constraints }, rng);
    this.strength = config.mutation;
    this.best = this.asChampion(incumbent.self);
  }

  /** The strongest flips so far: they are never lost, whatever becomes of the population. */
  get champion(): Champion {
    return this.best;
  }

  /** Begins from the clean graph, or from flips if these are better. */
  async begin(from: Flips): Promise<void> {
    const { incumbent } = this;
    const clean = await incumbent.confirm(incumbent.self);
    if (clean) await incumbent.moveTo(clean);
    this.best = this.asChampion(incumbent.self);
    this.fresh.aim(await openNodes(this.victim, this.task, incumbent), this.pool.worth);
    const immigrants = incumbent.standing.isPatched ? 0 : IMMIGRANTS;
    const drawn = Array.from({ length: immigrants }, () => this.repair.apply(this.drawWhole()));
    await this.settle(await incumbent.evaluate([new Set(incumbent.keys.ofFlips(from)), ...drawn]));
  }

  /** One generation: trials of single genes, children of the population, and the selection of who stays. */
  async step(): Promise<void> {
    const { incumbent, pool, fresh, rng, config } = this;
    fresh.aim(await openNodes(this.victim, this.task, incumbent), pool.worth);
    const probes = incumbent.standing.isPatched ? config.probes : Math.ceil(config.probes / FEWER_PROBES);
    await probe({ incumbent, pool, fresh, rng }, probes);
    const children = await incumbent.evaluate(this.breed());
    const united = combineBest(children, incumbent.self).map((child) => this.repair.apply(child));
    await this.settle([...children, ...(await incumbent.evaluate(united))]);
    if (this.idle >= config.patience) await this.shake();
  }

  /** As many fresh pairs as the budget allows. */
  private drawWhole(): Set<number> {
    const drawn = new Set<number>();
    for (let k = 0; k < this.task.budget; k++) {
      const key = this.fresh.draw();
      if (key !== null) drawn.add(key);
    }
    return drawn;
  }

  /** Children of one parent, of two, and of many. */
  private breed(): Set<number>[] {
    const { config, pool, fresh, rng, strength } = this;
    const most = Math.ceil(LARGEST_MUTATION * this.task.budget);
    const children: Set<number>[] = [];
    for (let k = 0; k < config.offspring; k++) {
      const child = this.cross();
      mutate(child, { pool, fresh, rng, strength, most });
      children.push(child);
    }
    children.push(...combineGenes(this.incumbent, pool, this.task.budget), withoutDispensable(pool));
    return children.map((child) => this.repair.apply(child)).filter(({ size }) => size > 0);
  }

  private cross(): Set<number> {
    const { population, rng, config } = this;
    const first = tournament(population, config.tournament, rng).delta;
    if (rng.uniform() >= config.crossover) return new Set(first);
    const second = tournament(population, config.tournament, rng).delta;
    return rng.uniform() < 0.5 ? unite([first, second]) : uniformCrossover(first, second, rng);
  }

  /** Parents and children compete; the best becomes the incumbent. */
  private async settle(children: readonly Individual[]): Promise<void> {
    const { incumbent, config } = this;
    this.remember(children);
    const ranked = survivors([incumbent.self, ...this.population, ...children], config.population);
    const challenger = await incumbent.confirm(ranked[0]);
    const isBetter = challenger !== null && isFitter(challenger, incumbent.self);
    this.strength = isBetter
      ? Math.max(WEAKEST, WEAKER * this.strength)
      : Math.min(STRONGEST, STRONGER * this.strength);
    this.idle = isBetter ? 0 : this.idle + 1;
    // If the first of the ranking is not better when evaluated again, it was only lucky.
    this.population = [isBetter ? challenger : incumbent.self, ...ranked.slice(1)];
    if (isBetter) await this.moveTo(challenger);
    if (incumbent.standing.isPatched) this.population = nearby(this.population);
  }

  private async moveTo(individual: Individual): Promise<void> {
    const { delta } = individual;
    await this.incumbent.moveTo(individual);
    this.pool.forget(delta);
    this.population = this.population.map((one) => ({ ...one, delta: symmetricDifference(one.delta, delta) }));
    this.remember([this.incumbent.self], true);
  }

  /** Updates the champion. If evaluations are random, only repeated ones count. */
  private remember(individuals: readonly Individual[], isConfirmed = this.incumbent.repeats === 1): void {
    if (!isConfirmed) return;
    for (const { delta, score, fitness } of individuals) {
      const isStronger = score < this.best.score || (score === this.best.score && fitness < this.best.fitness);
      if (isStronger) this.best = this.asChampion({ delta, score, fitness });
    }
  }

  private asChampion({ delta, score, fitness }: Individual): Champion {
    return { flips: this.incumbent.flipsWith(delta), score, fitness };
  }

  /** Once the population has converged: starts again from the champion without some of its flips. */
  private async shake(): Promise<void> {
    const { incumbent, rng } = this;
    const champion = incumbent.keys.ofFlips(this.best.flips);
    const count = Math.min(champion.length, Math.max(1, Math.round(SHAKEN * champion.length)));
    const places = new Set(rng.shuffle(Int32Array.from(champion.keys())).subarray(0, count));
    const rest = champion.filter((_, k) => !places.has(k));
    const [shaken] = await incumbent.evaluate([symmetricDifference(incumbent.flips, rest)]);
    if (!shaken) return;
    this.population = [];
    await this.moveTo(shaken);
    this.population = [incumbent.self];
    this.idle = 0;
  }
}
