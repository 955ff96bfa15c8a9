import { CeilingProbes, type Ceilings } from "./ceilings.ts";

/** Measures ceilings in passing, so often that what disturbs the machine meets them as often as what is timed between. */
export interface CeilingSampler {
  sample(): Ceilings;
  close(): Promise<void>;
}

/** Runs of each loop in a sample, of which the median counts, as it does among epochs. */
const RUNS = 3;

/** Samples of a CPU, a third of a second each. */
export async function sampleCpu(threads: number): Promise<CeilingSampler> {
  const probes = await CeilingProbes.open(threads);
  const sample = () => probes.measure(medianTime);
  sample(); // compiles the loops
  return { sample, close: () => probes.close() };
}

function medianTime(run: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[RUNS >> 1];
}
