import { createWasm } from "../backend/wasm/wasm.ts";
import type { Progress } from "../core/progress.ts";
import type { BenchCase, Need } from "./bench-case.ts";
import { projectionCase, samplePairsCase, topKCase } from "./block-cases.ts";
import { type Ceilings, highest, measureCeilings } from "./ceilings.ts";
import { addCase, dropoutCase, logSoftmaxCase, reluCase, tanhCase } from "./elementwise-cases.ts";
import { measure, type Timing } from "./measure.ts";
import {
  matmulCase,
  matmulClassesCase,
  sddmmCase,
  sddmmSymmetricCase,
  spmmCase,
  spmmOnesCase,
  weightGradientCase,
} from "./product-cases.ts";
import { BENCH_SHAPES, type BenchShape, Inputs, Workload } from "./workload.ts";

export const CASES = [
  matmulCase,
  matmulClassesCase,
  weightGradientCase,
  spmmCase,
  spmmOnesCase,
  sddmmCase,
  sddmmSymmetricCase,
  addCase,
  reluCase,
  tanhCase,
  logSoftmaxCase,
  dropoutCase,
  samplePairsCase,
  projectionCase,
  topKCase,
];

/** One kernel on one shape: its time with each number of threads, and how near it comes to the ceiling. */
export interface KernelResult {
  readonly kernel: string;
  readonly shape: string;
  readonly bound: Need["bound"];
  /** In the order of the ceilings: one thread, then as many as asked for. */
  readonly timings: readonly Timing[];
  /** Least milliseconds with all threads, from the ceiling that bounds the kernel. */
  readonly floor: number;
  /** floor / time of the best run: 1 would be the ceiling itself. */
  readonly ratio: number;
  /** Best time with one thread / best time with all. */
  readonly scaling: number;
}

export interface KernelReport {
  readonly ceilings: readonly Ceilings[];
  readonly kernels: readonly KernelResult[];
}

/** A timed kernel before it is compared with the ceilings, which are measured until the end of the benchmark. */
export type TimedKernel = Pick<KernelResult, "kernel" | "shape" | "timings"> & { readonly need: Need };

/** Times every kernel, alternating between one thread and `threads`. Throws if a result is wrong. */
export async function benchKernels(threads: number, progress: Progress): Promise<KernelReport> {
  const counts = threads === 1 ? [1] : [1, threads];
  const total = 1 + BENCH_SHAPES.length * (CASES.length + 1);
  let done = 0;
  const tick = (note: string) => progress.update(done++, total, note);
  const measureAll = async () => {
    const measured: Ceilings[] = [];
    tick("ceilings");
    for (const count of counts) measured.push(await measureCeilings(count));
    return measured;
  };
  let ceilings = await measureAll();
  const timed: TimedKernel[] = [];
  for (const shape of BENCH_SHAPES) {
    timed.push(...(await benchShape(shape, counts, tick)));
    const again = await measureAll();
    ceilings = ceilings.map((before, t) => highest([before, again[t]]));
  }
  return { ceilings, kernels: timed.map((kernel) => compare(kernel, ceilings.at(-1)!)) };
}

async function benchShape(shape: BenchShape, counts: number[], tick: (note: string) => void): Promise<TimedKernel[]> {
  const inputs = new Inputs(shape);
  const backends = await Promise.all(counts.map((threads) => createWasm({ threads })));
  const workloads = backends.map((backend) => new Workload(inputs, backend));
  const results: TimedKernel[] = [];
  for (const make of CASES) {
    const cases = workloads.map(make);
    const { kernel, need } = cases[0];
    tick(`${kernel}, ${shape.name}`);
    results.push({ kernel, need, shape: shape.name, timings: measure(cases) });
    for (const [t, bench] of cases.entries()) {
      await checkAnswer(bench, `${shape.name}, ${counts[t]} threads`);
      for (const buffer of bench.buffers) backends[t].free(buffer);
    }
  }
  await Promise.all(backends.map((backend) => backend.close()));
  return results;
}

async function checkAnswer(bench: BenchCase, where: string): Promise<void> {
  const wrong = await bench.check();
  if (wrong) throw new Error(`bench: ${bench.kernel} (${where}) gives a wrong answer: ${wrong}`);
}

export function compare({ kernel, shape, need, timings }: TimedKernel, ceilings: Ceilings): KernelResult {
  const first = timings[0].best;
  const last = timings.at(-1)!.best;
  const floor = (need.amount / ceilings[need.bound]) * 1000;
  return { kernel, shape, bound: need.bound, timings, floor, ratio: floor / last, scaling: first / last };
}
