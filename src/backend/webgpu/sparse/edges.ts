import type { Backend, Convolution, Scale } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import { sideFlags } from "./sparse.ts";

/** Buffers that a convolution in one launch binds, which is more than every device allows. */
const BINDINGS = 10;

export function isRoomy(gpu: Gpu): boolean {
  return gpu.device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
}

/** How kernels read the edges of a convolution: a file of entries, its flags, and its arguments between result and X. */
export interface Edges {
  readonly file: ShaderName;
  readonly flags: Readonly<Record<string, number>>;
  /** Entries of all rows; only the device knows how many of the pairs are active. */
  readonly most: number;
  /** For the rows from `begin` on. */
  args(begin: number, count: number): (GpuBuffer | null)[];
}

/** The edges as they are, or merged, where they are and the right side has factors. */
export function edgesOf(gpu: Gpu, kernel: string, { A, B, merged }: Convolution, scale: Scale): Edges {
  const a = gpu.csr(kernel, A);
  const b = B && gpu.csr(kernel, B);
  const sides = sideFlags(scale);
  const isMerged = b !== null && !!merged && sides.RIGHT === 1;
  const columns = isMerged ? gpu.ints(kernel, "merged", merged) : a.colIdx;
  return {
    file: isMerged ? "merged-entries" : "convolve-entries",
    flags: { HAS_PAIRS: Number(b !== null), ...sides },
    most: a.colIdx.length + (b?.colIdx.length ?? 0),
    args(begin, count) {
      const rowPtr = a.rowPtr.window(begin, count + 1);
      const pairPtr = b?.rowPtr.window(begin, count + 1) ?? null;
      const pairs = isMerged ? [null, null] : [b?.colIdx ?? null, b?.values ?? null];
      return [rowPtr, columns, pairPtr, ...pairs];
    },
  };
}

/** Puts the edges of a convolution side by side, each with its weight. */
export function mergeEdges(gpu: Gpu): Pick<Backend, "mergeEdges"> {
  const hasRoom = isRoomy(gpu);
  return {
    mergeEdges({ A, B }, by) {
      const name = "mergeEdges";
      const entries = A.colIdx.length + (B?.colIdx.length ?? 0);
      if (!B || !hasRoom || 8 * entries > gpu.maxBinding) return null;
      const a = gpu.csr(name, A);
      const b = gpu.csr(name, B);
      const scale = gpu.floats(name, "by", by, A.numRows);
      const merged = gpu.heap.alloc("i32", 2 * entries);
      let LANES = 1;
      while (LANES < 32 && LANES * A.numRows < entries) LANES *= 2; // no fewer: some rows are far longer than others
      const kernel = gpu.kernel(`merge-edges ${LANES}`, () => ({
        files: ["threads", "merge-edges"],
        defines: { LANES },
      }));
      const args = [merged, a.rowPtr, a.colIdx, b.rowPtr, b.colIdx, b.values, scale];
      gpu.run(kernel, args, [A.numRows], Math.ceil((A.numRows * LANES) / WORKGROUP));
      return merged;
    },
  };
}
