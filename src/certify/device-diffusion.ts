import type { Backend, Buffer, CsrBuffers, LargestBuffers, NoisyGraphKernels } from "../backend/backend.ts";
import type { DiffusionOptions } from "../nn/diffusion/exact-diffusion.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { empty, keep, SparseMatrix, scope, type Tensor } from "../tensor/index.ts";

/** Noisy graphs that are diffused together: kernels for them, how many there are at most, and of how many nodes. */
export interface DrawnGraphs {
  readonly backend: Backend;
  readonly kernels: NoisyGraphKernels;
  readonly graphs: number;
  readonly numNodes: number;
}

/** Accuracy of PageRank, as in `exactDiffusion`. */
const TOLERANCE = 1e-6;
/** Most entries that are kept of all graphs at once, 64 MiB: as many rows as fill a large GPU. */
const MOST_KEPT = 2 ** 24;

/** How many graphs can be diffused side by side; one where its PageRank is a dense matrix. */
export function mostDiffused({ kernels, numNodes }: DrawnGraphs, { alpha, k }: DiffusionOptions): number {
  const width = Math.min(k, numNodes);
  const keepsDiagonal = k * alpha >= 1; // else models ask for k ≥ numNodes, which is that of all graphs
  if (!keepsDiagonal || !kernels.holdsPageRank({ graphs: 1, numNodes, k: width })) return 1;
  return Math.max(1, Math.floor(MOST_KEPT / (numNodes * width)));
}

/**
 * The matrices of `exactDiffusion` for noisy graphs that are on the device only, as one matrix with a block for each. Places are
 * overwritten with those of the next graphs. No gradient is ever asked of it.
 */
export class DeviceDiffusion {
  private readonly drawn: DrawnGraphs;
  private readonly alpha: number;
  /** Entries per row. */
  private readonly k: number;
  private readonly matrix: SparseMatrix;

  constructor(drawn: DrawnGraphs, { alpha, k }: DiffusionOptions) {
    const { backend, graphs, numNodes } = drawn;
    this.drawn = drawn;
    this.alpha = alpha;
    this.k = Math.min(k, numNodes);
    this.matrix = keep(SparseMatrix.upload(backend, ownPlaces(graphs * numNodes, this.k)));
  }

  /** Of the first graphs in A + I. What is behind their rows is of no use. */
  of(loops: CsrBuffers, graphs: number): SparseMatrix {
    const { backend, numNodes } = this.drawn;
    const rows = graphs * numNodes;
    const columns = backend.view(this.matrix.buffers.colIdx, 0, rows * this.k);
    return scope(() => {
      const kept = empty(backend, [rows, this.k]);
      this.keepLargest({ columns, values: kept.buffer }, loops, graphs);
      const values = empty(backend, [this.matrix.numEntries]);
      normalise(backend.view(values.buffer, 0, rows * this.k), columns, kept);
      return this.matrix.withValues(values);
    });
  }

  dispose(): void {
    this.matrix.dispose();
  }

  private keepLargest(to: LargestBuffers, loops: CsrBuffers, graphs: number): void {
    const { drawn, alpha, k } = this;
    const { backend, kernels, numNodes } = drawn;
    const size = { graphs, numNodes, k };
    const options = { alpha, tolerance: TOLERANCE };
    if (kernels.holdsPageRank(size)) {
      kernels.largestPageRank(to, loops, size, options);
      return;
    }
    const { matrix, degrees } = exactPageRank(backend, { numNodes, parts: [loops] }, options);
    backend.topKRows({ ...to, X: matrix, rows: numNodes, cols: numNodes, k });
    for (const buffer of [matrix, degrees]) backend.free(buffer);
  }
}

/** Divides by row sums and once more by the roots of column sums, as `NormalisedTopK` does: to = kept_ij / (r_i·√(c_i c_j)). */
function normalise(to: Buffer, columns: Buffer, kept: Tensor): void {
  const { backend } = kept;
  const [rows, cols] = kept.shape as [number, number];
  const rowSums = empty(backend, [rows]);
  backend.rowDots(rowSums.buffer, kept.buffer, null, rows, cols);
  backend.unary("reciprocal", rowSums.buffer, rowSums.buffer);
  backend.scaleRows({ out: to, X: kept.buffer, scale: rowSums.buffer, rows, cols });
  const roots = empty(backend, [rows]);
  backend.fill(roots.buffer, 0);
  backend.scatterAddRows(roots.buffer, to, columns, rows, 1);
  backend.unary("rsqrt", roots.buffer, roots.buffer);
  backend.scaleRows({ out: to, X: to, scale: roots.buffer, rows, cols });
  const ofColumns = kept.buffer; // overwritten: nobody needs it any more
  backend.gatherRows(ofColumns, roots.buffer, columns, 1);
  backend.binary("mul", to, to, ofColumns);
}

/** k entries in every row, all of them on the diagonal until others are known. */
function ownPlaces(size: number, k: number) {
  const colIdx = new Int32Array(size * k);
  for (let i = 0; i < size; i++) colIdx.fill(i, i * k, (i + 1) * k);
  const rowPtr = Int32Array.from({ length: size + 1 }, (_, i) => i * k);
  return { numRows: size, numCols: size, rowPtr, colIdx, values: null };
}
