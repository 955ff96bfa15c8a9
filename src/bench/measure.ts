/** Milliseconds of repeated runs. */
export interface Timing {
  readonly median: number;
  readonly best: number;
  readonly runs: number;
}

const WARM_UP = 2; // kernels are compiled again with optimisation after their first calls
const MIN_RUNS = 5;
const MAX_RUNS = 50;
const ENOUGH_MS = 400;

/** Median of at least five runs, more for short ones. `reset` is called before each run and not timed. */
export function measure(run: () => void, reset: () => void = () => {}): Timing {
  const times: number[] = [];
  let total = 0;
  for (let i = -WARM_UP; i < MAX_RUNS && (i < MIN_RUNS || total < ENOUGH_MS); i++) {
    reset();
    const start = performance.now();
    run();
    const time = performance.now() - start;
    if (i < 0) continue;
    times.push(time);
    total += time;
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1]!, best: times[0]!, runs: times.length };
}
