import { check, ShapeError } from "../../../core/errors.ts";
import { hasRounds, type RoundConstants, roundConstants, roundThreshold } from "../../../graph/push/push-rounds.ts";
import type { NoisyGraphKernels } from "../../backend.ts";
import type { Gpu, ScratchSize } from "../device/gpu.ts";
import { clear } from "../shared/clear.ts";

/** How rows are distributed over the device. Results do not depend on it. */
export interface PushTuning {
  /** Threads of a workgroup, at least 32. */
  readonly threads: number;
  /** Most workgroups. Each has its own residuals and estimates, and what they access should fit the cache. */
  readonly mostGroups: number;
  /** Nodes of each list that are kept in workgroup memory. */
  readonly near: number;
  /** Most threads that distribute a node's residual to its neighbours. */
  readonly mostLanes: number;
}

const TUNING: PushTuning = { threads: 128, mostGroups: 1056, near: 128, mostLanes: 32 };
/** Most bytes of residuals, estimates and lists of all workgroups. */
const MOST_BYTES = 2 ** 29;
/** Most entries kept per row; they are held in workgroup memory. */
const MOST_KEPT = 1024;
const LARGEST_WORD = 2 ** 32 - 1;

type Kernels = Pick<NoisyGraphKernels, "holdsPush" | "pushLargest">;

/** The largest entries of rows of PageRank by push. A workgroup computes one row after the other. */
export function pushLargest(gpu: Gpu, tuning: PushTuning = TUNING): Kernels {
  return {
    holdsPush: ({ k }, options) => k <= MOST_KEPT && hasRounds(options),
    pushLargest(out, S, { graphs, numNodes, k }, options) {
      const name = "pushLargest";
      const rows = graphs * numNodes;
      check(k <= MOST_KEPT, () => `${name}: at most ${MOST_KEPT} entries of a row are kept, got ${k}`, ShapeError);
      check(rows <= S.numRows, () => `${name}: ${graphs} graphs of ${numNodes} rows are not in S`);
      const { rowPtr, colIdx } = gpu.csr(name, S);
      const columns = gpu.ints(name, "columns", out.columns, rows * k);
      const largest = gpu.floats(name, "values", out.values, rows * k);
      const constants = roundConstants(options);
      const far = mostInFrontier(constants, numNodes);
      const LANES = lanesFor(colIdx.length / S.numRows, tuning);
      const { groups, scratch } = groupsFor(gpu, Math.min(rows, tuning.mostGroups), { numNodes, far });
      gpu.borrow(scratch, ({ residuals, estimates, lists }) => {
        clear(gpu, residuals, residuals.length);
        clear(gpu, estimates, estimates.length);
        gpu.launch({
          shader: "push-largest",
          constants: { KEPT: k, LANES, NEAR: tuning.near, THREADS: tuning.threads },
          bind: { columns, largest, residuals, estimates, lists, rowPtr, colIdx },
          params: { rows, numNodes, far, ...constants, limit: Math.floor(LARGEST_WORD / constants.unit) },
          groups,
        });
      });
    },
  };
}

/**
 * Most nodes in a frontier: each has at least the threshold residual of degree 1, and together at most the source's.
 */
function mostInFrontier(constants: RoundConstants, numNodes: number): number {
  return Math.min(numNodes, Math.max(1, Math.floor(constants.start / roundThreshold(constants, 1))));
}

/** About as many threads as a row has entries, a power of two. */
function lanesFor(entries: number, { mostLanes }: PushTuning): number {
  let lanes = 1;
  while (lanes < mostLanes && lanes < entries) lanes *= 2;
  return lanes;
}

interface Groups {
  readonly groups: number;
  readonly scratch: Readonly<Record<"residuals" | "estimates" | "lists", ScratchSize>>;
}

/** The wanted number of workgroups, or fewer if memory is too small. `lists` are as in `push-largest.wgsl`. */
function groupsFor(
  gpu: Gpu,
  wanted: number,
  { numNodes, far }: { readonly numNodes: number; readonly far: number },
): Groups {
  const listed = 3 * far + numNodes;
  const byBytes = MOST_BYTES / (4 * (2 * numNodes + listed));
  const byBinding = gpu.maxBinding / (4 * listed);
  const groups = Math.max(1, Math.floor(Math.min(wanted, byBytes, byBinding)));
  const places = { i32: groups * numNodes };
  return { groups, scratch: { residuals: places, estimates: places, lists: { i32: groups * listed } } };
}
