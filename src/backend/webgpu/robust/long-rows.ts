import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";

/** Entries of a row for one workgroup: what a longer row has beyond them is for others, in as many pieces as it takes. */
export const PIECE = 256;
/** Workgroups that share all further pieces. Only the device knows how many there are, and idle workgroups take time too. */
const MOST_WORKGROUPS = 8192;

/** Pieces behind the first ones of their rows, as `long-row.wgsl` says, and a row of `cols` numbers for each. */
export interface FurtherPieces {
  readonly list: GpuBuffer;
  readonly partial: GpuBuffer;
  readonly workgroups: number;
}

/** Lets `use` work on a sparse matrix in pieces, and adds to the rows of `out` what `partial` has for them then. */
export function inPieces(
  gpu: Gpu,
  out: GpuBuffer,
  { rowPtr, numRows, entries }: { rowPtr: GpuBuffer; numRows: number; entries: number },
  cols: number,
  use: (further: FurtherPieces) => void,
): void {
  const kernel = (shader: ShaderName) =>
    gpu.kernel(shader, () => ({ files: ["threads", "long-row", shader], defines: { PIECE } }));
  const fill = gpu.kernel("fill vec4u 0", () => ({ files: ["threads", "fill"], defines: { T: "vec4u" } }));
  const most = Math.floor(entries / PIECE);
  const scratch = [
    ["i32", 4 + 2 * most],
    ["f32", most * cols],
  ] as const;
  gpu.borrow(scratch, (list, partial) => {
    gpu.run(fill, [list], [1, 0], 1);
    gpu.run(kernel("list-row-pieces"), [list, rowPtr], [numRows], Math.ceil(numRows / WORKGROUP));
    use({ list, partial, workgroups: Math.min(most, MOST_WORKGROUPS) });
    gpu.run(kernel("add-row-pieces"), [out, partial, list, rowPtr], [cols], Math.ceil((most * cols) / WORKGROUP));
  });
}
