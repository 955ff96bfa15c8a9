import type { Backend } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { openDevice } from "../backend/webgpu/device/device.ts";
import { Gpu } from "../backend/webgpu/device/gpu.ts";
import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import { backendOn, type Precision } from "../backend/webgpu/webgpu.ts";
import { type CeilingSampler, sampleCpu } from "./ceiling-sampler.ts";
import { type Ceilings, measureCeilings } from "./ceilings.ts";
import { measureGpuCeilings } from "./gpu-ceilings.ts";

/** Where a benchmark runs. */
export interface BenchDevice {
  readonly name: "cpu" | "webgpu";
  readonly description: string;
  ceilings(): Promise<Ceilings>;
  /** Opens a sampler that measures ceilings between epochs. The caller closes it. */
  sampler(): Promise<CeilingSampler>;
  /** Opens a new backend for one case, on the CPU possibly with fewer threads. The caller closes it. */
  open(threads?: number): Promise<OpenBackend>;
}

export interface OpenBackend {
  readonly backend: Backend;
  /** The time of each kernel that `run` launches; missing if the device cannot clock kernels. */
  kernelTimes?(run: () => Promise<void>): Promise<KernelTime[]>;
}

export function cpuDevice(threads: number): BenchDevice {
  return {
    name: "cpu",
    description: `${threads} ${threads === 1 ? "thread" : "threads"}`,
    ceilings: () => measureCeilings(threads),
    sampler: () => sampleCpu(threads),
    open: async (fewer = threads) => ({ backend: await createWasm({ threads: fewer }) }),
  };
}

export async function gpuDevice(precision: Precision = "single"): Promise<BenchDevice> {
  const { device, description: adapter } = await openDevice({});
  const description = precision === "single" ? adapter : `${adapter}, rows as halves`;
  device.destroy(); // each case opens its own
  let measured: Promise<Ceilings> | null = null;
  const measureOnce = async () => {
    const gpu = new Gpu(await openDevice({}));
    return measureGpuCeilings(gpu).finally(() => gpu.close());
  };
  const ceilings = () => (measured ??= measureOnce()); // nobody shares a GPU: ceilings do not drift
  return {
    name: "webgpu",
    description,
    ceilings,
    async sampler() {
      const constant = await ceilings();
      return { sample: () => constant, close: async () => {} };
    },
    async open() {
      const gpu = new Gpu(await openDevice({ precision }));
      const backend = backendOn(gpu, { precision });
      if (!gpu.device.features.has("timestamp-query")) return { backend };
      return {
        backend,
        async kernelTimes(run) {
          const times = gpu.measureKernels();
          await run();
          return times.take();
        },
      };
    },
  };
}
