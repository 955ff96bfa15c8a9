import type { CsrBuffers } from "../backend.ts";
import type { Gpu } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { lanesFor } from "./lanes.ts";
import type { ShaderName } from "./shader.ts";

/** Threads of a workgroup, and rows among which it looks for those of more than 64 neighbours. */
const SIDE = 64;
/** What the kernels take: 16 × 64 numbers and a few more in workgroup memory, and one binding per argument. */
const WORKGROUP_BYTES = 8 * 1024;
const BINDINGS = 11;

/** Whether this device has the room and the bindings for a workgroup per row (`neighbourhood.wgsl`). */
export function holdsNeighbourhoods(gpu: Gpu): boolean {
  const { maxComputeWorkgroupStorageSize, maxStorageBuffersPerShaderStage } = gpu.device.limits;
  return maxComputeWorkgroupStorageSize >= WORKGROUP_BYTES && maxStorageBuffersPerShaderStage >= BINDINGS;
}

/**
 * Launches a kernel with one workgroup per row of S, and its version for long rows. Arguments: what it writes, the matrix
 * and X, what else it reads.
 */
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
  const { lanes, file } = lanesFor(gpu, SIDE);
  const sums: ShaderName = file === "lanes-subgroup" && lanes === 32 ? "sum-columns-subgroup" : "sum-columns-shared";
  const search: ShaderName[] = shader === "soft-median" ? ["order-key", "column-median"] : [];
  const args = [...written, rowPtr, colIdx, values, X, ...read];
  for (const LONG of [0, 1]) {
    const defines = { LANES: lanes, VALUED: Number(values !== null), LONG, ...flags };
    const kernel = gpu.kernel(`${shader} ${Object.values(defines)}`, () => ({
      files: ["common", file, "neighbourhood", sums, ...search, shader],
      defines,
    }));
    gpu.run(kernel, args, [S.numRows, cols, ...params], LONG ? Math.ceil(S.numRows / SIDE) : S.numRows);
  }
}
