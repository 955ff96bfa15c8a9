/** Milliseconds of repeated runs. */
export interface Timing {
  readonly median: number;
  readonly best: number;
  readonly runs: number;
}

/** Something to time. `reset` is called before each run and not timed. */
export interface Timed {
  run(): void;
  reset?(): void;
}

const WARM_UP = 2; // the engine recompiles kernels with optimisation after their first calls
const MIN_RUNS = 5;
const MAX_RUNS = 60;
const ENOUGH_MS = 300;

/**
 * Times at least five runs of each variant, more if they are short. The variants alternate, so that other load on the
 * machine affects all of them equally.
 */
export function measure(variants: readonly Timed[]): Timing[] {
  const times = variants.map((): number[] => []);
  const began = performance.now();
  for (let i = -WARM_UP; i < MAX_RUNS; i++) {
    if (i >= MIN_RUNS && performance.now() - began > ENOUGH_MS * variants.length) break;
    for (const [v, variant] of variants.entries()) {
      const time = timeOnce(variant);
      if (i >= 0) times[v].push(time);
    }
  }
  return times.map(summary);
}

function timeOnce(variant: Timed): number {
  variant.reset?.();
  const start = performance.now();
  variant.run();
  return performance.now() - start;
}

function summary(times: number[]): Timing {
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1], best: times[0], runs: times.length };
}
