import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `transpose.wgsl`. */
const TILE = 16;

/** out_ci = X_ic. */
export function transpose(gpu: Gpu, out: GpuBuffer, X: GpuBuffer, rows: number, cols: number): void {
  const tilesAcross = Math.ceil(cols / TILE);
  gpu.launch({
    shader: "transpose",
    bind: { out, X },
    params: { rows, cols, tilesAcross },
    groups: tilesAcross * Math.ceil(rows / TILE),
  });
}
