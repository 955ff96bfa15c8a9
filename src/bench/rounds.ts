type Step = () => Promise<void>;

/** Milliseconds that each step of a round took, by its name. */
export type Round<Name extends string> = Readonly<Record<Name, number>>;

export interface RoundOptions {
  /** Time of uncounted rounds, at least one: kernels are recompiled after some calls, and a GPU reaches its clock. */
  readonly warmUpMs: number;
  /** At least this many rounds count; more of them follow until `enoughMs` are over. */
  readonly atLeast: number;
  readonly enoughMs: number;
}

/**
 * Times steps that take turns. A shared machine is slower for seconds at a time; within a round, steps can be compared
 * with those next to them.
 */
export async function timeRounds<Name extends string>(
  steps: Readonly<Record<Name, Step>>,
  { warmUpMs, atLeast, enoughMs }: RoundOptions,
): Promise<Round<Name>[]> {
  const inTurns = async () => {
    const times: Partial<Record<Name, number>> = {};
    for (const name in steps) {
      const begin = performance.now();
      await steps[name]();
      times[name] = performance.now() - begin;
    }
    return times as Round<Name>;
  };
  const start = performance.now();
  do await inTurns();
  while (performance.now() - start < warmUpMs);
  const rounds: Round<Name>[] = [];
  const counted = performance.now();
  while (rounds.length < atLeast || performance.now() - counted < enoughMs) rounds.push(await inTurns());
  return rounds;
}

/** The median over rounds of a number that each gives. */
export function overRounds<T>(rounds: readonly T[], say: (round: T) => number): number {
  const said = rounds.map(say).sort((a, b) => a - b);
  return said[said.length >> 1];
}
