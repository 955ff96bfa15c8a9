import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { columnPanels, copyColumns } from "../shared/column-panels.ts";

/** A product S·X, [outRows, rows]·[rows, cols], in which X has too many rows for kernels to gather from it whole. */
export interface TallProduct {
  readonly out: GpuBuffer;
  readonly outRows: number;
  readonly X: GpuBuffer;
  readonly rows: number;
  readonly cols: number;
  /** A number per column. */
  readonly bias: GpuBuffer | null;
  /** Whether the product is added to the old values of `out`. */
  readonly accumulate: boolean;
}

/** The same product for some columns, copied to matrices of their own. */
export interface ColumnPanel {
  readonly out: GpuBuffer;
  readonly X: GpuBuffer;
  readonly cols: number;
  readonly bias: GpuBuffer | null;
}

/** Multiplies panel by panel: copies the panel's columns, multiplies, and copies the result back. */
export function inColumnPanels(gpu: Gpu, product: TallProduct, multiply: (panel: ColumnPanel) => void): void {
  const { out, outRows, X, rows, cols, bias, accumulate } = product;
  columnPanels(gpu, Math.max(rows, outRows), cols, (begin, width) => {
    const sizes = { x: { f32: rows * width }, y: { f32: outRows * width }, shift: { f32: bias ? width : 0 } };
    gpu.borrow(sizes, ({ x, y, shift }) => {
      const panel = (buffer: GpuBuffer) => ({ buffer, cols: width, begin: 0 });
      const columns = (buffer: GpuBuffer) => ({ buffer, cols, begin });
      copyColumns(gpu, panel(x), columns(X), rows, width);
      if (accumulate) copyColumns(gpu, panel(y), columns(out), outRows, width);
      if (bias) copyColumns(gpu, panel(shift), columns(bias), 1, width);
      multiply({ out: y, X: x, cols: width, bias: bias && shift });
      copyColumns(gpu, columns(out), panel(y), outRows, width);
    });
  });
}
