import { type Gpu, WORKGROUP } from "../backend/webgpu/device/gpu.ts";
import type { GpuBuffer } from "../backend/webgpu/device/gpu-buffer.ts";
import { backendOn } from "../backend/webgpu/webgpu.ts";
import { Rng } from "../core/rng.ts";
import type { Ceilings } from "./ceilings.ts";
import { measureOnGpu } from "./gpu-measure.ts";

const ROWS = 169_343;
const COLS = 256;
const CACHED_ROWS = 2810;
const CACHED_COLS = 64;
const SHARED_ROWS = 19_717;
const GATHERED = 4_000_000;
/** Rows that one group of lanes adds up. */
const PER_GROUP = 8;
const WORD_GROUPS = 4096;
const WORD_STEPS = 256;
const MADD_GROUPS = 16_384;
const MADD_STEPS = 2048;
/** Four vectors of four, one multiplication and one addition each. */
const MADD_FLOPS = 4 * 4 * 2;

/** Measures the ceilings of a GPU by kernels that only copy, gather rows, multiply and add, or draw random words. */
export async function measureGpuCeilings(gpu: Gpu): Promise<Ceilings> {
  const backend = backendOn(gpu);
  const X = gpu.heap.alloc("f32", ROWS * COLS);
  const Y = gpu.heap.alloc("f32", ROWS * COLS);
  backend.fill(X, 1);
  const copied = await rate(gpu, 8 * ROWS * COLS, () => backend.copy(Y, X)); // read and written
  const ceilings = {
    threads: 1,
    stream: copied,
    gather: await gather(gpu, X, ROWS, COLS),
    cached: await gather(gpu, X, CACHED_ROWS, CACHED_COLS),
    shared: await gather(gpu, X, SHARED_ROWS, CACHED_COLS),
    flops: await flops(gpu),
    words: await words(gpu),
  };
  for (const buffer of [X, Y]) gpu.heap.free(buffer);
  return ceilings;
}

async function gather(gpu: Gpu, X: GpuBuffer, rows: number, cols: number): Promise<number> {
  const rng = new Rng(1);
  const index = gpu.upload(Int32Array.from({ length: GATHERED }, () => rng.integer(rows)));
  const lanes = Math.min(32, cols / 4);
  const threads = (GATHERED / PER_GROUP) * lanes;
  const out = gpu.heap.alloc("f32", 4 * threads);
  const run = () =>
    gpu.launch({
      shader: "probe-gather",
      constants: { LANES: lanes, PER_GROUP },
      bind: { out, index, X },
      params: { length: GATHERED, cols: cols / 4 },
      threads,
    });
  const speed = await rate(gpu, 4 * GATHERED * cols, run);
  await expectEvery(gpu, out, (PER_GROUP * cols) / 4 / lanes);
  for (const buffer of [index, out]) gpu.heap.free(buffer);
  return speed;
}

async function flops(gpu: Gpu): Promise<number> {
  const out = gpu.heap.alloc("f32", 4 * MADD_GROUPS * WORKGROUP);
  const params = { steps: MADD_STEPS, half: 0.5 };
  const work = MADD_FLOPS * MADD_STEPS * MADD_GROUPS * WORKGROUP;
  const speed = await rate(gpu, work, () =>
    gpu.launch({ shader: "probe-madd", bind: { out }, params, groups: MADD_GROUPS }),
  );
  await expectEvery(gpu, out, 1);
  gpu.heap.free(out);
  return speed;
}

async function words(gpu: Gpu): Promise<number> {
  const out = gpu.heap.alloc("f32", 4 * WORD_GROUPS * WORKGROUP);
  const params = { steps: WORD_STEPS };
  const work = WORD_STEPS * out.length;
  const speed = await rate(gpu, work, () =>
    gpu.launch({ shader: "probe-words", bind: { out }, params, groups: WORD_GROUPS }),
  );
  const ones = ((await gpu.read(out)) as Float32Array).reduce((total, value) => total + value, 0);
  if (Math.abs(ones - work / 2) > 1e-3 * work) throw new Error(`a probe found ${ones} ones in ${work} leading bits`);
  gpu.heap.free(out);
  return speed;
}

async function rate(gpu: Gpu, work: number, run: () => void): Promise<number> {
  return work / ((await measureOnGpu(gpu, { run })).best / 1000);
}

async function expectEvery(gpu: Gpu, out: GpuBuffer, expected: number): Promise<void> {
  const values = await gpu.read(out);
  const wrong = values.findIndex((value) => Math.abs(value - expected) > 1e-3 * expected);
  if (wrong >= 0) throw new Error(`a probe returned ${values[wrong]} instead of ${expected}`);
}
