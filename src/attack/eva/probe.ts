import type { Rng } from "../../core/rng.ts";
import type { FreshPairs } from "./fresh-pairs.ts";
import { drawRanked, type GenePool } from "./gene-pool.ts";
import type { Incumbent } from "./incumbent.ts";

/** Share of the probes that try a pair again that paid before. */
const AGAIN = 0.25;
/** Share of the flips with a known cost that are tried again. */
const RECHECKED = 0.1;

/** The incumbent that is probed, and where pairs come from and what is learned goes. */
export interface Probes {
  readonly incumbent: Incumbent;
  readonly pool: GenePool;
  readonly fresh: FreshPairs;
  readonly rng: Rng;
}

/**
 * Tries changes of the incumbent in a single pair, at most `3 · count / 2` of them, and records in the pool what each
 * pair is worth.
 */
export async function probe({ incumbent, pool, fresh, rng }: Probes, count: number): Promise<void> {
  const additions = new Set<number>();
  for (let k = 0; k < count; k++) {
    const key = (rng.uniform() < AGAIN ? drawRanked(pool.additions, rng) : undefined) ?? fresh.draw();
    if (key !== null && !incumbent.flips.has(key)) additions.add(key);
  }
  const drops = dropsToTry(incumbent, pool, Math.ceil(count / 2), rng);
  const before = incumbent.self.fitness;
  const found = await incumbent.evaluate([...additions, ...drops].map((key) => new Set([key])));
  for (const { delta, fitness } of found) {
    for (const key of delta) {
      if (incumbent.flips.has(key)) pool.learnDrop(key, fitness - before);
      else pool.learnAddition(key, fitness - before);
    }
  }
  pool.rank();
}

function dropsToTry({ flips }: Incumbent, pool: GenePool, most: number, rng: Rng): number[] {
  const wanted = [...flips].filter((key) => !pool.knowsCostOf(key) || rng.uniform() < RECHECKED);
  if (wanted.length <= most) return wanted;
  const order = rng.shuffle(Int32Array.from(wanted.keys()));
  return Array.from(order.subarray(0, most), (place) => wanted[place]);
}
