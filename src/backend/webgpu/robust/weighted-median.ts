import type { Backend, CsrBuffers } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** Threads of a workgroup: with 64 keys each in workgroup memory, a processor has room for several workgroups. */
const THREADS = 64;

/** Medians of the neighbours of each row, column by column. */
export interface Medians {
  readonly median: GpuBuffer;
  /** The neighbour that has the median value. */
  readonly holder: GpuBuffer;
}

export function weightedMedian(gpu: Gpu): Backend["weightedMedian"] {
  return (median, at, S, X, cols) => {
    const name = "weightedMedian";
    const size = S.numRows * cols;
    const to = { median: gpu.floats(name, "median", median, size), holder: gpu.ints(name, "at", at, size) };
    findMedians(gpu, to, S, gpu.floats(name, "X", X, S.numCols * cols), cols);
  };
}

export function findMedians(gpu: Gpu, { median, holder }: Medians, S: CsrBuffers, X: GpuBuffer, cols: number): void {
  const { rowPtr, colIdx, values } = gpu.csr("weightedMedian", S);
  let PANEL = 8;
  while (PANEL < THREADS && PANEL < cols) PANEL *= 2;
  const panels = Math.ceil(cols / PANEL);
  gpu.launch({
    shader: "weighted-median",
    constants: { VALUED: Number(values !== null), THREADS, PANEL },
    bind: { median, holder, rowPtr, colIdx, entryValues: values, X },
    params: { rows: S.numRows, cols, panels },
    groups: Math.ceil(S.numRows / (THREADS / PANEL)) * panels,
  });
}
