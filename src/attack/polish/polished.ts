import { type Option, wholeNumber } from "../../core/options/index.ts";
import type { AttackTask } from "../attack.ts";
import type { Found } from "../attack-with.ts";
import type { Victim } from "../victim.ts";
import { polishDefaults, polishFlips } from "./polish.ts";

/** Default rounds of polish for attacks that are meant to be strong. */
export const POLISH_ROUNDS = 20;

/** The option `polish` of an attack that may end with {@link polishFlips}. */
export function polishOption(rounds: number): Option<number> {
  return wholeNumber({
    from: 0,
    default: rounds,
    help: "rounds that drop useless flips and spend what is free on better ones; 0 keeps the flips as they are",
  });
}

/** The search, followed by this many rounds of polish. */
export function polished(
  task: AttackTask,
  { polish: rounds, blockSize = polishDefaults.blockSize }: { readonly polish: number; readonly blockSize?: number },
  search: (victim: Victim) => Promise<Found>,
): (victim: Victim) => Promise<Found> {
  if (rounds === 0) return search;
  return async (victim) => {
    const found = await search(victim);
    const begin = performance.now();
    const { flips, scores } = await polishFlips(victim, task, found.flips, { ...polishDefaults, rounds, blockSize });
    return { ...found, flips, polish: { scores, seconds: (performance.now() - begin) / 1000 } };
  };
}
