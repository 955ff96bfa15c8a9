type Step = () => Promise<void>;

/** Milliseconds that each step of a round took. */
export type Round<Steps extends readonly Step[]> = { readonly [S in keyof Steps]: number };

export interface RoundOptions {
  /** Rounds that do not count, one at least: kernels are compiled anew after their first calls, a GPU has to reach its clock. */
  readonly warmUpMs: number;
  /** Rounds that count: so many, and more of short ones until this time is over. */
  readonly atLeast: number;
  readonly enoughMs: number;
}

/**
 * Times steps that take turns. A machine that others share is slower for seconds at a time, so that steps are compared within
 * a round, with those next to them.
 */
export async function timeRounds<const Steps extends readonly Step[]>(
  steps: Steps,
  { warmUpMs, atLeast, enoughMs }: RoundOptions,
): Promise<Round<Steps>[]> {
  const inTurns = async () => {
    const times: number[] = [];
    for (const step of steps) {
      const begin = performance.now();
      await step();
      times.push(performance.now() - begin);
    }
    return times as unknown as Round<Steps>;
  };
  const start = performance.now();
  do await inTurns();
  while (performance.now() - start < warmUpMs);
  const rounds: Round<Steps>[] = [];
  const counted = performance.now();
  while (rounds.length < atLeast || performance.now() - counted < enoughMs) rounds.push(await inTurns());
  return rounds;
}

/** The median over rounds of what one of them says. */
export function overRounds<T>(rounds: readonly T[], say: (round: T) => number): number {
  const said = rounds.map(say).sort((a, b) => a - b);
  return said[said.length >> 1];
}
