import type { Gpu } from "../backend/webgpu/device/gpu.ts";
import type { Timed, Timing } from "./measure.ts";

/**
 * An idle GPU runs at a fraction of its clock for the first tenths of a second. Its driver compiles a kernel twice:
 * quickly at first use, and with optimisation after some tenths of a second of use.
 */
const WARM_UP_MS = 800;
const ROUNDS = 7;
/** A round takes about this long, so that the wait at its end is negligible. */
const ROUND_MS = 20;
const MAX_RUNS = 400;

/**
 * Milliseconds of one run, from rounds of many runs with one wait at the end. The time of a kernel does not depend on
 * its values, so inputs are reset only for the last run, whose result is checked.
 */
export async function measureOnGpu(gpu: Gpu, timed: Timed): Promise<Timing> {
  const round = async (runs: number) => {
    await finished(gpu);
    const start = performance.now();
    for (let i = 0; i < runs; i++) timed.run();
    await finished(gpu);
    return (performance.now() - start) / runs;
  };
  const begin = performance.now();
  while (performance.now() - begin < WARM_UP_MS) await round(5);
  const runs = Math.min(MAX_RUNS, Math.max(1, Math.ceil(ROUND_MS / (await round(5)))));
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await round(runs));
  times.sort((a, b) => a - b);
  timed.reset?.();
  timed.run();
  return { median: times[times.length >> 1], best: times[0], runs: runs * ROUNDS };
}

async function finished(gpu: Gpu): Promise<void> {
  gpu.flush();
  await gpu.device.queue.onSubmittedWorkDone();
}
