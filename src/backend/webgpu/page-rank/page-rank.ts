import type { Backend, CsrBuffers, PageRankOptions } from "../../backend.ts";
import { chebyshevValues } from "../../chebyshev-values.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { overSparseRows } from "../sparse/sparse-rows.ts";

/** Elements of an iterate: two of them stay in the cache of a large GPU, 50 MB. */
const BLOCK_ELEMENTS = 2 ** 22;
/** Columns of a block are a multiple of this, so that rows are whole vectors. */
const STEP = 64;
/** Signs with which successive iterates are stored, as in `compose/page-rank.ts`. */
const SIGNS = [1, 1, -1, -1] as const;

type Parts = Pick<Backend, "gatherRows" | "unary" | "affine" | "binary">;

/**
 * Exact PageRank by the iteration of `compose/page-rank.ts`, with one launch per step and matrix. The kernel adds the
 * diagonal matrix F when it stores a row, so F is no dense block. Blocks of columns are narrow enough to stay in the
 * cache for all steps.
 */
export function pageRank(gpu: Gpu, parts: Parts, blockElements: number = BLOCK_ELEMENTS): Pick<Backend, "pageRank"> {
  return {
    pageRank(out, matrices, degrees, options) {
      const n = matrices[0].numRows;
      const deg = gpu.floats("pageRank", "degrees", degrees, n);
      const to = gpu.floats("pageRank", "out", out, n * n);
      const steps = matrices.map((S) => transitions(gpu, parts, S, deg));
      const most = Math.max(1, Math.floor(blockElements / n / STEP)) * STEP;
      for (let begin = 0; begin < n; begin += most) {
        const width = Math.min(most, n - begin);
        solve(gpu, { out: to, degrees: deg, steps, begin, width }, options);
      }
      for (const { values } of steps) gpu.heap.free(values!);
    },
  };
}

/** A block of columns. */
interface Block {
  readonly out: GpuBuffer;
  readonly degrees: GpuBuffer;
  /** 2M, as a sum of these matrices. */
  readonly steps: readonly CsrBuffers[];
  readonly begin: number;
  readonly width: number;
}

function solve(gpu: Gpu, { out, degrees, steps, begin, width }: Block, { alpha, tolerance }: PageRankOptions): void {
  const n = steps[0].numRows;
  const rho = 1 - alpha;
  const values = chebyshevValues(rho, tolerance);
  const cols = 4 * Math.ceil(width / 4); // whole vectors; the columns at the end are never read
  const length = n * cols;
  gpu.borrow({ first: { f32: length }, second: { f32: length } }, ({ first, second }) => {
    let before = first;
    let now = second;
    const start = { length, cols, begin, scale: alpha / rho };
    gpu.launch({ shader: "page-rank-start", bind: { before, now, degrees }, params: start, threads: length });
    for (let k = 1; k + 1 < values.length; k++) {
      const next = SIGNS[(k + 1) % 4];
      const sign = next * SIGNS[k % 4];
      for (const [p, S] of steps.entries()) {
        const scale = p + 1 === steps.length ? (next * 2 * alpha * values[k]) / rho : 0;
        step(gpu, { out: before, X: now, S, degrees }, { cols, sign, scale, begin });
      }
      [before, now] = [now, before];
    }
    const last = values.length - 1;
    const scale = SIGNS[last % 4] / values[last];
    rowPieces(gpu, n, n, (firstRow, count) => {
      gpu.launch({
        shader: "page-rank-finish",
        bind: { out: out.window(firstRow * n, count * n), X: now, degrees },
        params: { length: count * width, cols, width, begin, numNodes: n, firstRow, scale },
        threads: count * width,
      });
    });
  });
}

interface StepBuffers {
  readonly out: GpuBuffer;
  readonly X: GpuBuffer;
  readonly S: CsrBuffers;
  readonly degrees: GpuBuffer;
}

interface StepNumbers {
  readonly cols: number;
  readonly sign: number;
  readonly scale: number;
  readonly begin: number;
}

function step(gpu: Gpu, { out, X, S, degrees }: StepBuffers, { cols, sign, scale, begin }: StepNumbers): void {
  const { rowPtr, colIdx, values } = gpu.csr("pageRank", S);
  overSparseRows(gpu, {
    with: ["page-rank-step"],
    constants: { VALUED: 1, SIZE: 4 },
    rows: S.numRows,
    cols,
    piece: () => ({
      bind: { out, rowPtr, colIdx, entryValues: values, X, degrees },
      params: { sign, scale, begin },
    }),
  });
}

/** 2·S_ij / deg_j on the pattern of S; the caller frees the values. */
function transitions(gpu: Gpu, parts: Parts, S: CsrBuffers, degrees: GpuBuffer): CsrBuffers {
  const values = gpu.heap.alloc("f32", S.colIdx.length);
  gpu.borrow({ inverse: { f32: degrees.length } }, ({ inverse }) => {
    parts.unary("reciprocal", inverse, degrees);
    parts.affine({ out: inverse, a: 2, A: inverse });
    parts.gatherRows(values, inverse, S.colIdx, 1);
  });
  if (S.values) parts.binary("mul", values, values, S.values);
  return { ...S, values };
}
