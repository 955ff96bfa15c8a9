import { check, ShapeError } from "../../../core/errors.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces, rowsPerBinding } from "./row-pieces.ts";

/** The width of a panel is a multiple of this, so that its rows are whole vectors. */
const STEP = 4;

/** Columns from `begin` on of a matrix of `cols` columns. */
export interface Columns {
  readonly buffer: GpuBuffer;
  readonly cols: number;
  readonly begin: number;
}

/**
 * Splits the columns of matrices with too many rows to gather from them whole into panels of about the same width, each
 * small enough for one binding.
 */
export function columnPanels(gpu: Gpu, rows: number, cols: number, use: (begin: number, width: number) => void): void {
  let widest = cols;
  while (widest > STEP && rows > rowsPerBinding(gpu, widest)) widest -= widest % STEP || STEP;
  const most = rowsPerBinding(gpu, widest);
  check(rows <= most, () => `webgpu: a matrix of ${rows} rows is gathered from, the device allows ${most}`, ShapeError);
  const width = Math.ceil(cols / Math.ceil(cols / widest) / STEP) * STEP;
  for (let begin = 0; begin < cols; begin += width) use(begin, Math.min(width, cols - begin));
}

/** Copies `width` columns of each row. */
export function copyColumns(gpu: Gpu, to: Columns, from: Columns, rows: number, width: number): void {
  const numbers = [to.cols, to.begin, from.cols, from.begin, width];
  const size = numbers.every((count) => count % 4 === 0) ? 4 : 1;
  rowPieces(gpu, rows, [to.cols, from.cols], (begin, count) =>
    gpu.launch({
      shader: "copy-columns",
      constants: { T: size === 4 ? "vec4f" : "f32" },
      bind: {
        out: to.buffer.window(begin * to.cols, count * to.cols),
        source: from.buffer.window(begin * from.cols, count * from.cols),
      },
      params: {
        rows: count,
        cols: width / size,
        toCols: to.cols / size,
        toBegin: to.begin / size,
        fromCols: from.cols / size,
        fromBegin: from.begin / size,
      },
      threads: (count * width) / size,
    }),
  );
}
