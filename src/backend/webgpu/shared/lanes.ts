import type { Gpu } from "../device/gpu.ts";
import type { ShaderName } from "../device/shader.ts";

/** How many neighbouring threads share a row, and the file with sums over them. */
export interface Lanes {
  readonly lanes: number;
  readonly file: ShaderName;
}

/** A number of lanes for rows of `width` elements: a power of two, at most 32 and at most the size of a subgroup. */
export function lanesFor(gpu: Gpu, width: number): Lanes {
  const most = gpu.subgroupSize > 1 ? Math.min(32, gpu.subgroupSize) : 32;
  let lanes = 1;
  while (lanes < most && lanes < width) lanes *= 2;
  return { lanes, file: laneSums(gpu, lanes) };
}

/** The file with sums over `lanes` neighbouring threads: subgroup operations if one subgroup always has all of them. */
export function laneSums(gpu: Gpu, lanes: number): ShaderName {
  const together = (lanes & (lanes - 1)) === 0 && gpu.subgroupSize > 1 && gpu.subgroupSize >= lanes;
  return together ? "lanes-subgroup" : "lanes-shared";
}
