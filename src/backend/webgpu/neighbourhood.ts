import type { CsrBuffers } from "../backend.ts";
import type { Gpu } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { laneSums, lanesFor } from "./lanes.ts";
import type { ShaderName } from "./shader.ts";

/** Threads that hold the same neighbours. */
const TEAM = 16;
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

/** How the threads of a workgroup hold the columns of the neighbours: the files that say it, and what stands for a type. */
export interface Layout {
  readonly files: readonly ShaderName[];
  readonly defines: Readonly<Record<string, number | string>>;
}

/** A column per thread, all neighbours of it. */
export function byColumns(gpu: Gpu): Layout {
  const { lanes, file } = lanesFor(gpu, SIDE);
  const sums: ShaderName = file === "lanes-subgroup" && lanes === 32 ? "sum-columns-subgroup" : "sum-columns-shared";
  return { files: ["neighbour-columns", sums], defines: {} };
}

/** Teams of threads with some neighbours each, a thread with one column of them or, if `wide`, four. */
export function byTeams(gpu: Gpu, wide: boolean): Layout {
  const sums: ShaderName = laneSums(gpu, TEAM) === "lanes-subgroup" ? "sum-team-subgroup" : "sum-team-shared";
  const files: ShaderName[] = [wide ? "total-4" : "total-1", "neighbour-teams", sums];
  return { files, defines: { T: wide ? "vec4f" : "f32" } };
}

/** Launches a kernel with one workgroup per row of S, and its version for long rows. */
export function perNeighbourhood(
  gpu: Gpu,
  shader: "soft-median" | "soft-median-gather-grad",
  layout: Layout,
  args: (GpuBuffer | null)[],
  S: CsrBuffers,
  params: number[],
): void {
  const { lanes, file } = lanesFor(gpu, SIDE);
  for (const LONG of [0, 1]) {
    const defines = { LANES: lanes, VALUED: Number(S.values !== null), LONG, ...layout.defines };
    const kernel = gpu.kernel(`${shader} ${Object.values(defines)}`, () => ({
      files: ["common", file, "neighbourhood", ...layout.files, shader],
      defines,
    }));
    gpu.run(kernel, args, [S.numRows, ...params], LONG ? Math.ceil(S.numRows / SIDE) : S.numRows);
  }
}
