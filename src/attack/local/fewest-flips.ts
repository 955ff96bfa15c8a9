import { type Flips, noFlips } from "../../graph/flips.ts";
import type { LocalSearch, LocalTarget } from "./local-task.ts";

/**
 * The fewest flips with which a search reaches the goal of `target`, within its budget; what the whole budget finds if
 * it never does. Doubles the budget until the goal is reached. Then leaves out flips that are not needed, and searches
 * with one flip fewer as long as that succeeds. It does not bisect, because a search may fail with k flips although it
 * succeeds with fewer, so that bisection could miss the answer. What comes back reaches the goal, none of its flips can
 * be spared, and the search fails with one fewer.
 *
 * `succeeds` evaluates flips on the discrete graph.
 */
export async function fewestFlips(
  search: LocalSearch,
  target: LocalTarget,
  succeeds: (flips: Flips) => Promise<boolean>,
): Promise<Flips> {
  const searchWith = (budget: number) => search({ ...target, budget, rng: target.rng.fork() });
  const isStopped = () => target.signal?.aborted ?? false;
  if (await succeeds(noFlips)) return noFlips;
  let budget = 1;
  let found = await searchWith(budget);
  while (!(await succeeds(found))) {
    if (budget === target.budget || isStopped()) return found;
    budget = Math.min(2 * budget, target.budget);
    found = await searchWith(budget);
  }
  let fewest = await withoutSpareFlips(found, succeeds);
  while (fewest.sources.length > 1 && !isStopped()) {
    const next = await searchWith(fewest.sources.length - 1);
    if (!(await succeeds(next))) break;
    fewest = await withoutSpareFlips(next, succeeds);
  }
  return fewest;
}

/** Leaves out one flip after the other, the last first, as long as the rest still succeeds: until none of them can be spared. */
export async function withoutSpareFlips(flips: Flips, succeeds: (flips: Flips) => Promise<boolean>): Promise<Flips> {
  let kept = flips;
  for (let before = Number.POSITIVE_INFINITY; kept.sources.length < before; ) {
    before = kept.sources.length; // a flip that was needed may be spare without another
    for (let k = before - 1; k >= 0 && kept.sources.length > 1; k--) {
      const rest = without(kept, k);
      if (await succeeds(rest)) kept = rest;
    }
  }
  return kept;
}

function without({ sources, targets }: Flips, k: number): Flips {
  return { sources: sources.filter((_, e) => e !== k), targets: targets.filter((_, e) => e !== k) };
}
