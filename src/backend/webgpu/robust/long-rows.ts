import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { clear } from "../shared/clear.ts";

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
  const most = Math.floor(entries / PIECE);
  const constants = { PIECE };
  gpu.borrow({ list: { i32: 4 + 2 * most }, partial: { f32: most * cols } }, ({ list, partial }) => {
    clear(gpu, list, 4);
    const listed = { pieces: list, rowPtr };
    gpu.launch({
      shader: "list-row-pieces",
      constants,
      bind: listed,
      params: { rows: numRows },
      threads: numRows,
    });
    use({ list, partial, workgroups: Math.min(most, MOST_WORKGROUPS) });
    gpu.launch({
      shader: "add-row-pieces",
      constants,
      bind: { ...listed, out, partial },
      params: { cols },
      threads: most * cols,
    });
  });
}
