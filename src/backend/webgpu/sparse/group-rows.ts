import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { exclusiveScan } from "../selection/scan.ts";
import { clear } from "../shared/clear.ts";

/** What the entries of the matrix are made from; numbered as in `group-count.wgsl`. */
export const GROUP = { pairs: 0, mirroredPairs: 1, indices: 2 } as const;

export interface Grouping {
  readonly kind: (typeof GROUP)[keyof typeof GROUP];
  readonly numRows: number;
  readonly length: number;
  readonly sources: GpuBuffer;
  readonly targets: GpuBuffer | null;
  readonly weights: GpuBuffer | null;
  readonly signs: GpuBuffer | null;
  readonly floor: number;
}

/** Output of {@link groupRows}: a matrix in CSR. */
export interface Grouped {
  /** numRows + 1 elements. */
  readonly rowPtr: GpuBuffer;
  readonly colIdx: GpuBuffer;
  readonly values: GpuBuffer | null;
}

/**
 * Builds a sparse matrix by histogram, prefix sum and scatter. Integer atomics assign slots in any order; sorting each
 * row afterwards makes the result the same every time.
 */
export function groupRows(gpu: Gpu, to: Grouped, what: Grouping): void {
  const { kind, numRows, length, sources, targets, weights, signs, floor } = what;
  const { rowPtr, colIdx, values } = to;
  const constants = { KIND: kind };
  const scratch = {
    next: { i32: 2 * numRows },
    columns: { i32: colIdx.length },
    unsorted: { f32: values ? colIdx.length : 0 },
  };
  gpu.borrow(scratch, ({ next, columns, unsorted }) => {
    clear(gpu, rowPtr, numRows + 1);
    gpu.launch({
      shader: "group-count",
      constants,
      bind: { counts: rowPtr, sources, targets, weights },
      params: { length, floor },
      threads: length,
    });
    exclusiveScan(gpu, rowPtr, next, numRows + 1);
    gpu.launch({
      shader: "group-scatter",
      constants,
      bind: { next, sources, targets, weights, signs, columns, entryValues: unsorted },
      params: { length, floor, rows: numRows },
      threads: length,
    });
    sortRows(gpu, to, numRows, { columns, entryValues: unsorted, tops: next });
  });
}

/** Scattered entries, in any order within each row, except that columns from place tops_i of row i on are larger. */
export interface Unsorted {
  readonly columns: GpuBuffer;
  /** Null if the entries have no values. */
  readonly entryValues: GpuBuffer | null;
  readonly tops: GpuBuffer;
}

/** Puts the entries of each row in ascending order of their columns. */
export function sortRows(gpu: Gpu, { rowPtr, colIdx, values }: Grouped, numRows: number, unsorted: Unsorted): void {
  let LANES = 1;
  while (LANES < 32 && LANES * numRows < colIdx.length) LANES *= 2;
  const { columns, entryValues, tops } = unsorted;
  gpu.launch({
    shader: "sort-rows",
    constants: { VALUED: Number(values !== null), LANES },
    bind: { sortedColumns: colIdx, sortedValues: values, rowPtr, columns, entryValues, tops },
    params: { rows: numRows },
    threads: numRows * LANES,
  });
}
