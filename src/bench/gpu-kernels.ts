import { openDevice } from "../backend/webgpu/device/device.ts";
import { Gpu } from "../backend/webgpu/device/gpu.ts";
import { backendOn } from "../backend/webgpu/webgpu.ts";
import type { Progress } from "../core/progress.ts";
import { measureGpuCeilings } from "./gpu-ceilings.ts";
import { measureOnGpu } from "./gpu-measure.ts";
import { CASES, compare, type KernelReport, type TimedKernel } from "./kernels.ts";
import { BENCH_SHAPES, Inputs, Workload } from "./workload.ts";

/** Times every kernel on a GPU and compares it with the ceilings of that GPU. Throws if a result is wrong. */
export async function benchGpuKernels(progress: Progress): Promise<KernelReport & { readonly device: string }> {
  const opened = await openDevice({});
  const gpu = new Gpu(opened);
  const total = 1 + BENCH_SHAPES.length * CASES.length;
  let done = 0;
  progress.update(done++, total, "ceilings");
  const ceilings = await measureGpuCeilings(gpu);
  const timed: TimedKernel[] = [];
  for (const shape of BENCH_SHAPES) {
    const work = new Workload(new Inputs(shape), backendOn(gpu));
    for (const make of CASES) {
      const bench = make(work);
      progress.update(done++, total, `${bench.kernel}, ${shape.name}`);
      const timing = await measureOnGpu(gpu, bench);
      timed.push({ kernel: bench.kernel, need: bench.need, shape: shape.name, timings: [timing] });
      const wrong = await bench.check();
      if (wrong) throw new Error(`bench: ${bench.kernel} (${shape.name}, webgpu) gives a wrong answer: ${wrong}`);
      for (const buffer of bench.buffers) gpu.heap.free(buffer);
    }
    for (const buffer of Object.values(work.on)) gpu.heap.free(buffer);
  }
  await gpu.close();
  return {
    device: opened.description,
    ceilings: [ceilings],
    kernels: timed.map((kernel) => compare(kernel, ceilings)),
  };
}
