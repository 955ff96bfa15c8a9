import type { CsrBuffers } from "../backend.ts";
import type { Gpu } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";

/** Threads that share a column or a neighbour. */
const LANES = 4;
/** What the kernels take: 64 × 64 numbers and a few more in workgroup memory, and one binding per argument. */
const WORKGROUP_BYTES = 18 * 1024;
const BINDINGS = 10;

/** Whether a workgroup of this device can gather the neighbours of a row into its memory (`neighbourhood.wgsl`). */
export function holdsNeighbourhoods(gpu: Gpu): boolean {
  const { maxComputeWorkgroupStorageSize, maxStorageBuffersPerShaderStage } = gpu.device.limits;
  const isEnough = maxComputeWorkgroupStorageSize >= WORKGROUP_BYTES && maxStorageBuffersPerShaderStage >= BINDINGS;
  return isEnough && gpu.subgroupSize >= LANES;
}

/** Launches a kernel with one workgroup per row of S. Arguments: what it writes, the matrix and X, what else it reads. */
export function perNeighbourhood(
  gpu: Gpu,
  shader: "soft-median" | "soft-median-gather-grad",
  flags: Readonly<Record<string, number>>,
  written: (GpuBuffer | null)[],
  S: CsrBuffers,
  X: GpuBuffer,
  read: GpuBuffer[],
  cols: number,
  params: number[],
): void {
  const { rowPtr, colIdx, values } = gpu.csr(shader, S);
  const defines = { LANES, VALUED: Number(values !== null), ...flags };
  const kernel = gpu.kernel(`${shader} ${Object.values(defines)}`, () => ({
    files: ["common", "order-key", "lanes-subgroup", "neighbourhood", shader],
    defines,
  }));
  gpu.run(kernel, [...written, rowPtr, colIdx, values, X, ...read], [S.numRows, cols, ...params], S.numRows);
}
