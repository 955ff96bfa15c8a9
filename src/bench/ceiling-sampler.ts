import { CeilingProbes, type Ceilings } from "./ceilings.ts";

/** Measures ceilings between timed work, so often that other load on the machine affects both equally. */
export interface CeilingSampler {
  sample(): Ceilings;
  close(): Promise<void>;
}

/** Runs of each loop in a sample; the median counts, as for epochs. */
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
