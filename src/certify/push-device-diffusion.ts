import type { CsrBuffers } from "../backend/backend.ts";
import type { PushRowsOptions } from "../ppr/push-rows.ts";
import { empty, IntTensor, keep, SparseMatrix, scope, type Tensor } from "../tensor/index.ts";
import type { DeviceDiffusion } from "./device-diffusion.ts";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { NeedsHost } from "./needs-host.ts";
import { normaliseKept } from "./normalise-kept.ts";
import { roomOnly } from "./room-only.ts";

/**
 * The matrices of `pushDiffusion` for noisy graphs that are on the device only, as one matrix with a block for each,
 * with PageRank by `pushRounds`. Rows store only entries above 0, because some models attend to all stored entries,
 * whatever their values.
 */
export class PushDeviceDiffusion implements DeviceDiffusion {
  private readonly drawn: DrawnGraphs;
  private readonly options: PushRowsOptions;
  private readonly matrix: SparseMatrix;

  constructor(drawn: DrawnGraphs, options: PushRowsOptions) {
    const { backend, kernels, graphs, numNodes } = drawn;
    const k = Math.min(options.k, numNodes); // most entries per row
    if (!kernels.holdsPush({ graphs, numNodes, k }, options)) {
      throw new NeedsHost(`the device does not push ${k} entries per row with epsilon ${options.epsilon}`);
    }
    this.drawn = drawn;
    this.options = { ...options, k };
    this.matrix = keep(SparseMatrix.upload(backend, roomOnly(graphs * numNodes, graphs * numNodes * k)));
  }

  of(loops: CsrBuffers, graphs: number): SparseMatrix {
    const { matrix, drawn, options } = this;
    const { backend, kernels, numNodes } = drawn;
    const size = { graphs, numNodes, k: options.k };
    const rows = graphs * numNodes;
    return scope(() => {
      const columns = new IntTensor(backend, backend.alloc("i32", rows * options.k)).buffer;
      const kept = empty(backend, [rows, options.k]);
      kernels.pushLargest({ columns, values: kept.buffer }, loops, size, options);
      this.divideByRoots(kept, columns, loops);
      const normalised = empty(backend, kept.shape);
      normaliseKept(normalised.buffer, columns, kept);
      const values = empty(backend, [matrix.numEntries]);
      const packed = matrix.withValues(values);
      kernels.packLargest(packed.buffers, { columns, values: normalised.buffer }, size);
      kernels.entryRows(matrix.entries.sources, matrix.buffers);
      return packed;
    });
  }

  dispose(): void {
    this.matrix.dispose();
  }

  /**
   * kept_ij / √deg_j. Within a row this is proportional to the symmetric version; rows are divided by their sums
   * afterwards.
   */
  private divideByRoots(kept: Tensor, columns: IntTensor["buffer"], loops: CsrBuffers): void {
    const { backend } = kept;
    const roots = empty(backend, [loops.numRows]);
    backend.rowSums(roots.buffer, loops);
    backend.unary("rsqrt", roots.buffer, roots.buffer);
    const ofColumns = empty(backend, kept.shape);
    backend.gatherRows(ofColumns.buffer, roots.buffer, columns, 1);
    backend.binary("mul", kept.buffer, kept.buffer, ofColumns.buffer);
  }
}
