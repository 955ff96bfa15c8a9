import type { Backend, Convolution, Scale } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { NamedBuffers } from "../device/pipelines.ts";
import type { Constants, ShaderName } from "../device/shader.ts";
import { sideFlags } from "./sparse-rows.ts";

/** Buffers that a convolution in one launch binds; not every device allows so many. */
const BINDINGS = 10;

/** Whether this device allows as many bindings as a convolution in one launch needs. */
export function bindsConvolution(gpu: Gpu): boolean {
  return gpu.device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
}

/** How kernels read the edges of a convolution. */
export interface Edges {
  /** File that reads the entries of a row, and its constants. */
  readonly file: ShaderName;
  readonly constants: Constants;
  /** Most entries of all rows together; only the device knows how many of the pairs are active. */
  readonly most: number;
  /** Arguments for `count` rows from `begin` on. */
  bind(begin: number, count: number): NamedBuffers;
}

/** Uses the merged edges if there are some and the right side is scaled, else the edges as they are. */
export function edgesOf(gpu: Gpu, kernel: string, { A, B, merged }: Convolution, scale: Scale): Edges {
  const a = gpu.csr(kernel, A);
  const b = B && gpu.csr(kernel, B);
  const most = a.colIdx.length + (b?.colIdx.length ?? 0);
  const { LEFT, RIGHT } = sideFlags(scale);
  if (b && merged && RIGHT === 1) {
    const columns = gpu.ints(kernel, "merged", merged);
    return {
      file: "merged-entries",
      constants: { LEFT },
      most,
      bind: (begin, count) => ({
        rowPtr: a.rowPtr.window(begin, count + 1),
        merged: columns,
        pairPtr: b.rowPtr.window(begin, count + 1),
      }),
    };
  }
  return {
    file: "convolve-entries",
    constants: { HAS_PAIRS: Number(b !== null), LEFT, RIGHT },
    most,
    bind: (begin, count) => ({
      rowPtr: a.rowPtr.window(begin, count + 1),
      colIdx: a.colIdx,
      pairPtr: b?.rowPtr.window(begin, count + 1) ?? null,
      pairIdx: b?.colIdx ?? null,
      pairValues: b?.values ?? null,
    }),
  };
}

/** Lists the edges of a convolution row by row, each with its column and weight. */
export function mergeEdges(gpu: Gpu): Pick<Backend, "mergeEdges"> {
  const fits = bindsConvolution(gpu);
  return {
    mergeEdges({ A, B }, by) {
      const name = "mergeEdges";
      const entries = A.colIdx.length + (B?.colIdx.length ?? 0);
      if (!B || !fits || 8 * entries > gpu.maxBinding) return null;
      const a = gpu.csr(name, A);
      const b = gpu.csr(name, B);
      const scale = gpu.floats(name, "by", by, A.numRows);
      const merged = gpu.heap.alloc("i32", 2 * entries);
      let LANES = 1;
      while (LANES < 32 && LANES * A.numRows < entries) LANES *= 2; // not fewer: some rows are far longer
      gpu.launch({
        shader: "merge-edges",
        constants: { LANES },
        bind: {
          merged,
          rowPtr: a.rowPtr,
          colIdx: a.colIdx,
          pairPtr: b.rowPtr,
          pairIdx: b.colIdx,
          pairValues: b.values,
          scale,
        },
        params: { rows: A.numRows },
        threads: A.numRows * LANES,
      });
      return merged;
    },
  };
}
