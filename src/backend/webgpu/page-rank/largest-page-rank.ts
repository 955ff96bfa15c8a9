import { check, MemoryError, ShapeError } from "../../../core/errors.ts";
import type { NoisyGraphKernels } from "../../backend.ts";
import { chebyshevValues } from "../../chebyshev-values.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import type { Precision } from "../precision.ts";
import { lanesFor } from "../shared/lanes.ts";

/** How many columns a workgroup may solve for at once, the words in which it shares a number of each, and the file for that. */
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
/** What the numbers that are shared are off by: more steps of the iteration than lead there would gain nothing. */
const ROUNDING: Readonly<Record<Precision, number>> = { single: 0, half: 2 ** -11 };
/** Threads side by side whose rows are stored together, as in `row-slots.wgsl`. */
const WARP = 32;
/** Rows of more entries are shared by a team of threads. */
const LONG = 24;
/** Threads of a team, where a subgroup has as many. */
const TEAM = 8;
/** Words that workgroup memory gives at a time, each from a bank of its own: as on NVIDIA, and a guess elsewhere. */
const BANKED_WORDS = 32;
/** Places are stored in 16 bits. */
const MOST_NODES = 2 ** 16 - 1;
/** Bytes of workgroup memory for sums over threads. */
const SUM_BYTES = 4 * WORKGROUP + 64;
/** Threads that should be at work on a processor, and the workgroup memory that it has on NVIDIA. */
const THREADS_PER_PROCESSOR = 1024;
const PROCESSOR_BYTES = 48 * 1024;

type Kernels = Pick<NoisyGraphKernels, "holdsPageRank" | "largestPageRank">;

/** The largest entries of rows of PageRank, by workgroups that hold some columns each from the first iterate to the last, in `mostBytes` at most. */
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
      // sums without subgroups go through the memory of a usual workgroup
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

/** Workgroup memory: an iterate, a bit per node, and the entries that are taken. */
function bytesOf({ count, words }: SharedColumns, numNodes: number, k: number): number {
  return 4 * words * (numNodes + 1) + 4 * Math.ceil(numNodes / 32) + 4 * count * k + SUM_BYTES;
}

/** So many that the workgroups that a processor holds keep it busy. */
function threadsFor(bytes: number, most: number): number {
  const groups = Math.max(1, Math.floor(PROCESSOR_BYTES / bytes));
  let threads = WORKGROUP;
  while (threads * groups < THREADS_PER_PROCESSOR && 2 * threads <= most) threads *= 2;
  return threads;
}

/** Who takes which rows: constants of `row-slots.wgsl`. */
interface RowSlots extends Readonly<Record<string, number>> {
  readonly THREADS: number;
  readonly LANES: number;
  readonly ROWS: number;
}

interface SliceSize {
  readonly graphs: number;
  readonly numNodes: number;
  /** In which a node's numbers are shared. */
  readonly words: number;
  readonly slots: RowSlots;
}

/** What `rank-rows.wgsl`, `slice-rows.wgsl` and `spread-banks.wgsl` make of graphs side by side. */
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
 * Words of a graph beyond half its entries, at most. No row of a slice is longer than any of the slice before, of long rows and of others. So all but the first two slices
 * have no more words than the rows before them, rounded up per row, and per thread where a team shares a row.
 */
function spareWords(numNodes: number, { THREADS, LANES }: RowSlots): number {
  const longest = Math.ceil(numNodes / 2);
  const firstSlices = WARP * longest + WARP * Math.ceil(longest / LANES);
  const rounding = Math.ceil(numNodes / 2) + THREADS * LANES + WARP;
  return WARP * Math.ceil((firstSlices + rounding) / WARP);
}
