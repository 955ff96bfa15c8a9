import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `select.wgsl`. */
const CHUNK = 2048;
const BUCKETS = 2048;
const STAGES = 3;
/** Words of the state that a selection leaves; word 0 is the number of selected elements. */
export const SELECT_STATE = 8;
/** As in `sort-u64.wgsl`. */
const SORT_BLOCK = 1024;

/** What to select of `length` values: those above `floor`, but at most `limit`; without a floor the `limit` largest. */
export interface Selection {
  readonly length: number;
  readonly floor: number | null;
  readonly limit: number;
}

/** Writes the positions of the selected elements in ascending order, and how many they are into word 0 of `state`. */
export function select(gpu: Gpu, state: GpuBuffer, positions: GpuBuffer, X: GpuBuffer, what: Selection): void {
  const { length, floor, limit } = what;
  const numChunks = Math.ceil(length / CHUNK);
  const ALL = Number(floor === null);
  const files = ["threads", "scan-workgroup", "order-key", "select"] as const;
  const sizes = [["i32", Math.max(2, 2 * numChunks)] as const, ["i32", STAGES * BUCKETS] as const];
  gpu.borrow(sizes, (counts, buckets) => {
    const step = (entry: string, groups: number, stage: number) => {
      const kernel = gpu.kernel(`select ${entry} ${ALL}`, () => ({ files, entry, defines: { ALL } }));
      gpu.run(kernel, [state, counts, buckets, X, positions], [length, floor ?? 0, limit, numChunks, stage], groups);
    };
    if (floor === null) step("clear", 1, 0);
    else step("count", numChunks, 0);
    for (let stage = 0; stage < STAGES; stage++) step("histogram", numChunks, stage);
    step("count", numChunks, 1);
    step("write", numChunks, 0);
  });
}

/** Room for `count` keys in {@link sortWide}: a power of two of whole blocks. */
export function sortSize(count: number): number {
  let size = SORT_BLOCK;
  while (size < count) size *= 2;
  return size;
}

/** Sorts 64-bit keys, `size` of them as {@link sortSize} says; those beyond the last are the largest number there is. */
export function sortWide(gpu: Gpu, keys: GpuBuffer, size: number): void {
  const launch = (entry: string, run: number, stride: number, groups: number) => {
    const kernel = gpu.kernel(`sort-u64 ${entry}`, () => ({ files: ["threads", "sort-u64"], entry }));
    gpu.run(kernel, [keys], [size, run, stride], groups);
  };
  launch("local_sort", 0, 0, size / SORT_BLOCK);
  for (let run = 2 * SORT_BLOCK; run <= size; run *= 2) {
    for (let stride = run / 2; stride >= SORT_BLOCK; stride /= 2) launch("step", run, stride, size / 2 / WORKGROUP);
    launch("local_merge", run, 0, size / SORT_BLOCK);
  }
}

export function selection(gpu: Gpu): Pick<Backend, "topK" | "topKRows"> {
  return {
    topK(out, X) {
      const y = gpu.ints("topK", "out", out);
      const x = gpu.floats("topK", "X", X);
      const k = y.length;
      check(k <= x.length, () => `topK: ${k} of ${x.length} values asked for`, ShapeError);
      if (k === 0) return;
      const size = sortSize(k);
      const sizes = [["i32", SELECT_STATE] as const, ["i32", 2 * size] as const];
      gpu.borrow(sizes, (state, keys) => {
        select(gpu, state, y, x, { length: x.length, floor: null, limit: k });
        const files = ["threads", "order-key", "top-k-keys"] as const;
        const step = (entry: string) => gpu.kernel(`top-k-keys ${entry}`, () => ({ files, entry }));
        gpu.run(step("make"), [keys, y, x], [k, size], size / WORKGROUP);
        sortWide(gpu, keys, size);
        gpu.run(step("take"), [keys, y, x], [k, size], Math.ceil(k / WORKGROUP));
      });
    },
    topKRows(columns, values, X, rows, cols, k) {
      check(k <= cols, () => `topKRows: ${k} of ${cols} columns asked for`, ShapeError);
      const j = gpu.ints("topKRows", "columns", columns, rows * k);
      const y = gpu.floats("topKRows", "values", values, rows * k);
      const x = gpu.floats("topKRows", "X", X, rows * cols);
      if (k === 0) return;
      const files = ["threads", "scan-workgroup", "order-key", "top-k-rows"] as const;
      gpu.run(
        gpu.kernel("top-k-rows", () => ({ files })),
        [j, y, x],
        [rows, cols, k],
        rows,
      );
    },
  };
}
