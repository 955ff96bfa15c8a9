import { check, MemoryError, ShapeError } from "../../../core/errors.ts";
import type { NoisyGraphKernels } from "../../backend.ts";
import { chebyshevValues } from "../../chebyshev-values.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import type { Precision } from "../precision.ts";
import { lanesFor } from "../shared/lanes.ts";

/** Columns that a workgroup solves for at once, words per node in which it stores their numbers, and shader file. */
interface SharedColumns {
  readonly count: number;
  readonly words: number;
  readonly file: ShaderName;
}

const COLUMNS: Readonly<Record<Precision, readonly SharedColumns[]>> = {
  single: [
    { count: 2, words: 2, file: "columns-vec2f" },
    { count: 1, words: 1, file: "columns-f32" },
  ],
  half: [{ count: 2, words: 1, file: "columns-halves" }],
};
/** Rounding error of the stored numbers: iterating to a smaller tolerance would gain nothing. */
const ROUNDING: Readonly<Record<Precision, number>> = { single: 0, half: 2 ** -11 };
/** Neighbouring threads whose rows are stored together, as in `row-slots.wgsl`. */
const WARP = 32;
/** Rows with more entries are shared by a team of threads. */
const LONG = 24;
/** Threads of a team, or fewer if subgroups are smaller. */
const TEAM = 8;
/** Banks of workgroup memory, each of which serves one word at a time: the number on NVIDIA, a guess elsewhere. */
const BANKED_WORDS = 32;
/** Most nodes of a graph: their places are stored in 16 bits. */
const MOST_NODES = 2 ** 16 - 1;
/** Bytes of workgroup memory for sums over threads. */
const SUM_BYTES = 4 * WORKGROUP + 64;
/** Threads that keep a processor of the GPU busy, and the workgroup memory that one has on NVIDIA. */
const THREADS_PER_PROCESSOR = 1024;
const PROCESSOR_BYTES = 48 * 1024;

type Kernels = Pick<NoisyGraphKernels, "holdsPageRank" | "largestPageRank">;

/** Largest entries of rows of PageRank. A workgroup iterates on its columns in at most `mostBytes` of its memory. */
export function largestPageRank(
  gpu: Gpu,
  precision: Precision,
  mostBytes = gpu.device.limits.maxComputeWorkgroupStorageSize,
): Kernels {
  const { maxComputeInvocationsPerWorkgroup: mostThreads } = gpu.device.limits;
  const { lanes, file: sums } = lanesFor(gpu, TEAM);
  const columnsFor = (numNodes: number, k: number) =>
    numNodes > MOST_NODES
      ? undefined
      : COLUMNS[precision].find((columns) => bytesOf(columns, numNodes, k) <= mostBytes);
  return {
    holdsPageRank: ({ numNodes, k }) => columnsFor(numNodes, k) !== undefined,
    largestPageRank(out, S, { graphs, numNodes, k }, { alpha, tolerance }) {
      const name = "largestPageRank";
      const chosen = columnsFor(numNodes, k);
      check(chosen !== undefined, () => `${name}: ${numNodes} nodes do not fit ${mostBytes} bytes`, MemoryError);
      check(k <= numNodes, () => `${name}: ${k} of ${numNodes} columns asked for`, ShapeError);
      check(graphs * numNodes <= S.numRows, () => `${name}: ${graphs} graphs of ${numNodes} rows are not in S`);
      const columns = gpu.ints(name, "columns", out.columns, graphs * numNodes * k);
      const largest = gpu.floats(name, "values", out.values, graphs * numNodes * k);
      const { count, words, file } = chosen;
      // sums without subgroups use workgroup memory, which has room for WORKGROUP threads
      const most = sums === "lanes-subgroup" ? mostThreads : WORKGROUP;
      const threads = threadsFor(bytesOf(chosen, numNodes, k), most);
      const slots = { THREADS: threads, LANES: lanes, ROWS: Math.ceil(numNodes / threads) };
      inSlices(gpu, gpu.csr(name, S), { graphs, numNodes, words, slots }, (sliced) => {
        gpu.launch({
          shader: "largest-page-rank",
          with: [file, sums],
          constants: { NODES: numNodes, KEPT: k, ...slots },
          bind: { columns, largest, ...sliced },
          params: {
            graphs,
            steps: chebyshevValues(1 - alpha, Math.max(tolerance, ROUNDING[precision])).length - 2,
            alpha,
          },
          groups: graphs * Math.ceil(numNodes / count),
        });
      });
    },
  };
}

/** Bytes of workgroup memory: an iterate, a bit per node, the selected entries, and sums. */
function bytesOf({ count, words }: SharedColumns, numNodes: number, k: number): number {
  return 4 * words * (numNodes + 1) + 4 * Math.ceil(numNodes / 32) + 4 * count * k + SUM_BYTES;
}

/** Threads of a workgroup, enough for the workgroups that fit on a processor to keep it busy. */
function threadsFor(bytes: number, most: number): number {
  const groups = Math.max(1, Math.floor(PROCESSOR_BYTES / bytes));
  let threads = WORKGROUP;
  while (threads * groups < THREADS_PER_PROCESSOR && 2 * threads <= most) threads *= 2;
  return threads;
}

/** Constants of `row-slots.wgsl`, which assigns rows to threads. */
interface RowSlots extends Readonly<Record<string, number>> {
  readonly THREADS: number;
  readonly LANES: number;
  readonly ROWS: number;
}

interface SliceSize {
  readonly graphs: number;
  readonly numNodes: number;
  /** Words per node in an iterate. */
  readonly words: number;
  readonly slots: RowSlots;
}

/** Output of `rank-rows.wgsl`, `slice-rows.wgsl` and `spread-banks.wgsl` for graphs side by side. */
interface SlicedRows extends Readonly<Record<string, GpuBuffer>> {
  readonly slicePtr: GpuBuffer;
  readonly slices: GpuBuffer;
  readonly longRows: GpuBuffer;
  readonly nodes: GpuBuffer;
  readonly lengths: GpuBuffer;
}

function inSlices(
  gpu: Gpu,
  { rowPtr, colIdx }: { readonly rowPtr: GpuBuffer; readonly colIdx: GpuBuffer },
  { graphs, numNodes, words, slots }: SliceSize,
  use: (rows: SlicedRows) => void,
): void {
  const rows = graphs * numNodes;
  const numSlices = (slots.THREADS / WARP) * (slots.LANES + slots.ROWS);
  const spare = spareWords(numNodes, slots);
  const scratch = {
    places: { i32: rows },
    nodes: { i32: rows },
    lengths: { i32: rows },
    longRows: { i32: graphs },
    slicePtr: { i32: graphs * (numSlices + 1) },
    slices: { i32: Math.ceil(colIdx.length / 2) + graphs * spare },
  };
  gpu.borrow(scratch, ({ places, nodes, lengths, longRows, slicePtr, slices }) => {
    gpu.launch({
      shader: "rank-rows",
      bind: { places, nodes, lengths, rowPtr },
      params: { rows, numNodes },
      threads: rows,
    });
    gpu.launch({
      shader: "slice-rows",
      constants: { ...slots, LONG },
      bind: { slicePtr, slices, longRows, rowPtr, colIdx, places, nodes },
      params: { numNodes, spare },
      groups: graphs,
    });
    const BANKS = BANKED_WORDS / words;
    const length = (graphs * numSlices * WARP) / BANKS;
    gpu.launch({
      shader: "spread-banks",
      constants: { BANKS },
      bind: { slices, slicePtr },
      params: { length, numSlices, numNodes },
      threads: length,
    });
    use({ slicePtr, slices, longRows, nodes, lengths });
  });
}

/**
 * Upper bound of a graph's words beyond half its entries. Long rows and others are each sliced in order of length: no
 * row of a slice is longer than any row of the slice before. So every slice but the first of each kind has no more
 * words than the rows of the slice before it, rounded up per row, and per thread where a team shares a row.
 */
function spareWords(numNodes: number, { THREADS, LANES }: RowSlots): number {
  const longest = Math.ceil(numNodes / 2);
  const firstSlices = WARP * longest + WARP * Math.ceil(longest / LANES);
  const rounding = Math.ceil(numNodes / 2) + THREADS * LANES + WARP;
  return WARP * Math.ceil((firstSlices + rounding) / WARP);
}
