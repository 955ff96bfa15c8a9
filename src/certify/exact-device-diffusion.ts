import type { CsrBuffers, LargestBuffers } from "../backend/backend.ts";
import type { DiffusionOptions } from "../nn/diffusion/exact-diffusion.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { empty, keep, SparseMatrix, scope } from "../tensor/index.ts";
import type { DeviceDiffusion } from "./device-diffusion.ts";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { normaliseKept } from "./normalise-kept.ts";

/** Accuracy of PageRank, as in `exactDiffusion`. */
const TOLERANCE = 1e-6;

/**
 * The matrices of `exactDiffusion` for noisy graphs that are on the device only, as one matrix with a block for each.
 * Column indices are overwritten with those of the next graphs. There is no gradient: none is needed.
 */
export class ExactDeviceDiffusion implements DeviceDiffusion {
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

  /** The matrix of the first `graphs` graphs in `loops`, which is A + I. Rows after theirs are undefined. */
  of(loops: CsrBuffers, graphs: number): SparseMatrix {
    const { backend, numNodes } = this.drawn;
    const rows = graphs * numNodes;
    const columns = backend.view(this.matrix.buffers.colIdx, 0, rows * this.k);
    return scope(() => {
      const kept = empty(backend, [rows, this.k]);
      this.keepLargest({ columns, values: kept.buffer }, loops, graphs);
      const values = empty(backend, [this.matrix.numEntries]);
      normaliseKept(backend.view(values.buffer, 0, rows * this.k), columns, kept);
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

/** k entries in every row, all of them on the diagonal until others are known. */
function ownPlaces(size: number, k: number) {
  const colIdx = new Int32Array(size * k);
  for (let i = 0; i < size; i++) colIdx.fill(i, i * k, (i + 1) * k);
  const rowPtr = Int32Array.from({ length: size + 1 }, (_, i) => i * k);
  return { numRows: size, numCols: size, rowPtr, colIdx, values: null };
}
