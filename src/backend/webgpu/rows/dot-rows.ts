import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";

/** Launches a kernel that sums over each row of a [rows, cols] matrix, four elements at a time where rows are made of fours. */
export function dotRows(
  gpu: Gpu,
  shader: "row-dots" | "finish-grad",
  flags: Readonly<Record<string, number>>,
  [rows, cols]: readonly [number, number],
  args: (begin: number, count: number) => (GpuBuffer | null)[],
): void {
  const wide = cols % 4 === 0;
  const width = wide ? cols / 4 : cols;
  const { lanes, file } = lanesFor(gpu, width);
  const kernel = gpu.kernel(`${shader} ${wide} ${lanes} ${Object.values(flags)}`, () => ({
    files: ["threads", file, wide ? "total-vec4f" : "total-f32", shader],
    defines: { T: wide ? "vec4f" : "f32", LANES: lanes, ...flags },
  }));
  rowPieces(gpu, rows, cols, (begin, count) => {
    gpu.run(kernel, args(begin, count), [count, width], Math.ceil((count * lanes) / WORKGROUP));
  });
}
