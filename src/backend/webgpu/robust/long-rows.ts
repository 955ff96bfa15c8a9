import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { clear } from "../shared/clear.ts";

/** Most entries of a row per workgroup: longer rows are split into pieces for several workgroups. */
export const PIECE = 256;
/** Most workgroups for further pieces. Only the device knows how many there are, and idle workgroups take time. */
const MOST_WORKGROUPS = 8192;

/** Pieces behind the first one of each row, listed as in `long-row.wgsl`, and a row of `cols` numbers for each. */
export interface FurtherPieces {
  readonly list: GpuBuffer;
  readonly partial: GpuBuffer;
  readonly workgroups: number;
}

/** Lists the further pieces, lets `use` fill `out` and `partial`, then adds rows of `partial` to those of `out`. */
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
