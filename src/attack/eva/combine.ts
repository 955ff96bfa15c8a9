import { unite } from "./crossover.ts";
import type { GenePool } from "./gene-pool.ts";
import type { Incumbent } from "./incumbent.ts";
import type { Delta, Individual } from "./individual.ts";

/** Most parents of one child. */
const MOST_PARENTS = 64;

/** Children with many parents: the best 1, 2, 4, … of the pairs that paid when they were tried alone. */
export function combineGenes(incumbent: Incumbent, pool: GenePool, budget: number): Set<number>[] {
  const children: Set<number>[] = [];
  for (let count = 1; ; count *= 2) {
    const child = bestGenes(incumbent, pool, { count, budget });
    if (child.size > 0) children.push(child);
    if (count >= pool.additions.length) return children;
  }
}

/**
 * A child with the `count` best further flips. No two of them share a node, so that their effects add up. Flips beyond
 * the budget replace dispensable flips, as long as that pays.
 */
function bestGenes(
  { flips, keys }: Incumbent,
  pool: GenePool,
  { count, budget }: { readonly count: number; readonly budget: number },
): Set<number> {
  const child = new Set<number>();
  const used = new Set<number>();
  const room = budget - flips.size;
  let taken = 0;
  for (const key of pool.additions) {
    if (taken === count) break;
    const source = keys.source(key);
    const target = keys.target(key);
    if (used.has(source) || used.has(target)) continue;
    if (taken >= room) {
      const drop = pool.drops[taken - room];
      if (drop === undefined || pool.costOf(drop) + pool.gainOf(key) >= 0) break;
      child.add(drop);
    }
    child.add(key);
    used.add(source).add(target);
    taken++;
  }
  return child;
}

/** A child that drops all flips of the incumbent that cost nothing to drop. */
export function withoutDispensable(pool: GenePool): Set<number> {
  return new Set(pool.drops.filter((drop) => pool.costOf(drop) <= 0));
}

/** Unions of the best two, four and so on of the children that are better than the incumbent. */
export function combineBest(children: readonly Individual[], incumbent: Individual): Set<number>[] {
  const better = children.filter(({ fitness }) => fitness < incumbent.fitness);
  const ranked = better.sort((a, b) => a.fitness - b.fitness).map(({ delta }): Delta => delta);
  const unions: Set<number>[] = [];
  for (let count = 2; count <= Math.min(ranked.length, MOST_PARENTS); count *= 2) {
    unions.push(unite(ranked.slice(0, count)));
  }
  return unions;
}
