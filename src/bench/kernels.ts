import { createWasm } from "../backend/wasm/wasm.ts";
import type { Progress } from "../core/progress.ts";
import type { BenchCase, Need } from "./bench-case.ts";
import { projectionCase, samplePairsCase, topKCase } from "./block-cases.ts";
import { type Ceilings, measureCeilings } from "./ceilings.ts";
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
import { BENCH_SHAPES, Workload } from "./workload.ts";

const CASES = [
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

/** One kernel on one shape: its time with each number of threads, and how near it comes to what the machine can do. */
export interface KernelResult {
  readonly kernel: string;
  readonly shape: string;
  readonly bound: Need["bound"];
  /** In the order of the ceilings: one thread, then as many as asked for. */
  readonly timings: Timing[];
  /** Least milliseconds with all threads, from the ceiling that bounds the kernel. */
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  readonly scaling: number;
}

export interface KernelReport {
  readonly ceilings: Ceilings[];
  readonly kernels: KernelResult[];
}

/** Times every kernel with one thread and with `threads`, and throws where an answer is wrong. */
export async function benchKernels(threads: number, progress: Progress): Promise<KernelReport> {
  const counts = threads === 1 ? [1] : [1, threads];
  const total = counts.length * (1 + BENCH_SHAPES.length * CASES.length);
  let done = 0;
  const tick = (note: string) => progress.update(done++, total, note);
  const ceilings: Ceilings[] = [];
  const measured = new Map<string, { shape: string; bench: Pick<BenchCase, "kernel" | "need">; timings: Timing[] }>();
  for (const count of counts) {
    tick(`ceilings, ${count} threads`);
    ceilings.push(await measureCeilings(count));
    for (const shape of BENCH_SHAPES) {
      const backend = await createWasm({ threads: count });
      const work = new Workload(shape, backend);
      for (const make of CASES) {
        const bench = make(work);
        tick(`${bench.kernel}, ${shape.name}, ${count} threads`);
        const timing = await timeAndCheck(bench, shape.name);
        const name = `${shape.name} ${bench.kernel}`;
        if (!measured.has(name)) measured.set(name, { shape: shape.name, bench, timings: [] });
        measured.get(name)!.timings.push(timing);
        for (const buffer of bench.buffers) backend.free(buffer);
      }
      await backend.close();
    }
  }
  const kernels = [...measured.values()].map(({ shape, bench, timings }) => result(shape, bench, timings, ceilings));
  return { ceilings, kernels };
}

async function timeAndCheck(bench: BenchCase, shape: string): Promise<Timing> {
  const timing = measure(
    () => bench.run(),
    () => bench.reset?.(),
  );
  const wrong = await bench.check();
  if (wrong) throw new Error(`bench: ${bench.kernel} on ${shape} gives a wrong answer: ${wrong}`);
  return timing;
}

function result(
  shape: string,
  { kernel, need }: Pick<BenchCase, "kernel" | "need">,
  timings: Timing[],
  ceilings: Ceilings[],
): KernelResult {
  const [first, last] = [timings[0]!, timings.at(-1)!];
  const floor = (need.amount / ceilings.at(-1)![need.bound]) * 1000;
  return {
    kernel,
    shape,
    bound: need.bound,
    timings,
    floor,
    ratio: floor / last.median,
    scaling: first.median / last.median,
  };
}
