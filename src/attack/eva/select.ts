import type { Rng } from "../../core/rng.ts";
import type { Individual } from "./individual.ts";

/**
 * Members that differ from the incumbent in more pairs are dropped: they cost more to evaluate, and rarely catch up.
 */
const FARTHEST = 64;
/** Relative difference in fitness below which individuals are taken for copies of each other. */
const ROUNDING = 1e-6;

/** Whether one individual is better than another by more than rounding. */
export function isFitter(one: Individual, other: Individual): boolean {
  return one.fitness < other.fitness - ROUNDING * Math.max(1, Math.abs(other.fitness));
}

/** The fittest of `size` members drawn at random. */
export function tournament(population: readonly Individual[], size: number, rng: Rng): Individual {
  let best = population[rng.integer(population.length)];
  for (let k = 1; k < size; k++) {
    const other = population[rng.integer(population.length)];
    if (other.fitness < best.fitness) best = other;
  }
  return best;
}

/** The fittest of parents and children, the best first, each fitness once. */
export function survivors(all: readonly Individual[], count: number): Individual[] {
  const ranked = [...all].sort((a, b) => a.fitness - b.fitness);
  const kept: Individual[] = [];
  for (const individual of ranked) {
    if (kept.length === count) break;
    const before = kept.at(-1);
    if (before === undefined || isFitter(before, individual)) kept.push(individual);
  }
  return kept;
}

/** Members near enough to the incumbent to be worth their evaluation. */
export function nearby(population: readonly Individual[]): Individual[] {
  return population.filter(({ delta }) => delta.size <= FARTHEST);
}
