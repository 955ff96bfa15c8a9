import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { exclusiveScan } from "../selection/scan.ts";

/** What becomes an entry of which row; numbered as in `group-count.wgsl`. */
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

/** Where {@link groupRows} writes: a matrix in CSR. */
export interface Grouped {
  /** Of numRows + 1 elements. */
  readonly rowPtr: GpuBuffer;
  readonly colIdx: GpuBuffer;
  readonly values: GpuBuffer | null;
}

/**
 * Builds a sparse matrix by histogram, prefix sum and scatter. Slots are handed out by integer atomics in any order; sorting
 * each row afterwards makes the result the same every time.
 */
export function groupRows(gpu: Gpu, to: Grouped, what: Grouping): void {
  const { kind, numRows, length, sources, targets, weights, signs, floor } = what;
  const { rowPtr, colIdx, values } = to;
  const defines = { KIND: kind };
  const groups = Math.ceil(length / WORKGROUP);
  const fill = gpu.kernel("fill vec4u 0", () => ({ files: ["threads", "fill"], defines: { T: "vec4u" } }));
  const count = gpu.kernel(`group-count ${kind}`, () => ({ files: ["threads", "group-count"], defines }));
  const place = gpu.kernel(`group-scatter ${kind}`, () => ({ files: ["threads", "group-scatter"], defines }));
  const VALUED = Number(values !== null);
  let LANES = 1;
  while (LANES < 32 && LANES * numRows < colIdx.length) LANES *= 2;
  const sort = gpu.kernel(`sort-rows ${VALUED} ${LANES}`, () => ({
    ...{ files: ["threads", "sort-rows"], defines: { VALUED, LANES } },
  }));
  const quads = Math.ceil((numRows + 1) / 4);
  const scratch = [
    ["i32", 2 * numRows],
    ["i32", colIdx.length],
    ["f32", values ? colIdx.length : 0],
  ] as const;
  gpu.borrow(scratch, (next, columns, unsorted) => {
    gpu.run(fill, [rowPtr], [quads, 0], Math.ceil(quads / WORKGROUP));
    gpu.run(count, [rowPtr, sources, targets, weights], [length, floor], groups);
    exclusiveScan(gpu, rowPtr, next, numRows + 1);
    const args = [next, sources, targets, weights, signs, columns, unsorted];
    gpu.run(place, args, [length, floor, numRows], groups);
    const sorted = [colIdx, values, rowPtr, columns, unsorted, next];
    gpu.run(sort, sorted, [numRows], Math.ceil((numRows * LANES) / WORKGROUP));
  });
}
