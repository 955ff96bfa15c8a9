import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowsPerBinding } from "../shared/row-pieces.ts";

/** The rows of a matrix to gather from: in one binding, or in two windows if they do not fit one. */
export interface GatherWindows {
  readonly X: GpuBuffer;
  readonly rest: GpuBuffer | null;
  /** The row at which `rest` begins. */
  readonly split: number;
}

export function gatherWindows(gpu: Gpu, X: GpuBuffer, rows: number, cols: number): GatherWindows {
  const split = rowsPerBinding(gpu, cols);
  if (rows <= split) return { X, rest: null, split };
  return { X: X.window(0, split * cols), rest: X.window(split * cols, (rows - split) * cols), split };
}
