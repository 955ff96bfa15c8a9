import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";

/** Columns of a matrix that a thread packs at once, as in `pack-rows.wgsl`. */
const AT_ONCE = 8;

/** The rows of a matrix as halves, two in a word, and what the halves of each row are multiples of. */
export interface PackedRows {
  readonly packed: GpuBuffer;
  readonly unit: GpuBuffer;
}

export interface RowsToPack {
  readonly rows: number;
  readonly cols: number;
  /** A factor of each row, if there is one. */
  readonly scale: GpuBuffer | null;
}

/** Whether a matrix has rows of whole vectors, and fits a binding once it is packed. */
export function canPack(gpu: Gpu, rows: number, cols: number): boolean {
  return cols > 0 && cols % AT_ONCE === 0 && 2 * rows * cols <= gpu.maxBinding;
}

/** Packs rows for one piece of work. */
export function withPackedRows(
  gpu: Gpu,
  X: GpuBuffer,
  { rows, cols, scale }: RowsToPack,
  use: (rows: PackedRows) => void,
): void {
  gpu.borrow({ packed: { i32: (rows * cols) / 2 }, unit: { f32: rows } }, ({ packed, unit }) => {
    const width = cols / AT_ONCE;
    const { lanes, file } = lanesFor(gpu, width);
    rowPieces(gpu, rows, cols, (begin, count) =>
      gpu.launch({
        shader: "pack-rows",
        with: [file],
        constants: { LANES: lanes, SCALED: Number(scale !== null) },
        bind: {
          packed: packed.window((begin * cols) / 2, (count * cols) / 2),
          unit: unit.window(begin, count),
          X: X.window(begin * cols, count * cols),
          scale: scale?.window(begin, count) ?? null,
        },
        params: { rows: count, cols: width },
        threads: count * lanes,
      }),
    );
    use({ packed, unit });
  });
}
