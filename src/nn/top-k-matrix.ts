import type { Backend, CsrBuffers, PairBuffers } from "../backend/backend.ts";
import { empty, expectShape, filled, IntTensor, record, type Tensor } from "../tensor/index.ts";
import { type Disposable, register } from "../tensor/scope.ts";

/**
 * A square sparse matrix with the same number of entries in every row, whose columns were chosen on the device: nothing
 * of it is known on the host, so that a forward pass does not wait. Lives until the end of the scope.
 */
export class TopKMatrix implements Disposable {
  readonly backend: Backend;
  readonly numNodes: number;
  readonly k: number;
  readonly columns: IntTensor;
  /** [n, k]. */
  readonly values: Tensor;
  private readonly rows: IntTensor;
  private readonly rowPtr: IntTensor;
  private cachedTranspose: CsrBuffers | null = null;

  constructor(columns: IntTensor, values: Tensor) {
    const [n, k] = values.shape as [number, number];
    this.backend = values.backend;
    this.numNodes = n;
    this.k = k;
    this.columns = columns;
    this.values = values;
    this.rows = IntTensor.from(
      this.backend,
      Int32Array.from({ length: n * k }, (_, e) => Math.floor(e / k)),
    );
    this.rowPtr = IntTensor.from(
      this.backend,
      Int32Array.from({ length: n + 1 }, (_, i) => i * k),
    );
    register(this);
  }

  /** The matrix for kernels, with its own values or with others in the same places. */
  buffers(values: Tensor = this.values): CsrBuffers {
    const { numNodes } = this;
    const [rowPtr, colIdx] = [this.rowPtr.buffer, this.columns.buffer];
    return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values: values.buffer };
  }

  /** (row, column) of each entry. */
  get entries(): PairBuffers {
    const [sources, targets] = [this.rows.buffer, this.columns.buffer];
    return { numNodes: this.numNodes, directed: true, length: this.numNodes * this.k, sources, targets };
  }

  get transposed(): CsrBuffers {
    this.cachedTranspose ??= this.transpose(this.values);
    return this.cachedTranspose;
  }

  /**
   * The transpose with other values in the same places; the caller frees it. The kernel that turns candidate pairs into
   * a matrix sorts entries by row on the device, which is all it takes.
   */
  transpose(values: Tensor): CsrBuffers {
    const { sources, targets, ...rest } = this.entries;
    const ones = filled(this.backend, this.values.shape, 1);
    const reversed = { ...rest, sources: targets, targets: sources };
    const matrix = this.backend.activeMatrix(reversed, values.buffer, ones.buffer, 0);
    ones.dispose();
    return matrix;
  }

  get parts(): Disposable[] {
    return [this.columns, this.values, this.rows, this.rowPtr];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    if (!this.cachedTranspose) return;
    const { rowPtr, colIdx, values } = this.cachedTranspose;
    this.cachedTranspose = null;
    for (const buffer of [rowPtr, colIdx, values!]) this.backend.free(buffer);
  }
}

/** `Y = P·X`, differentiable in the values of `P` and in `X`. */
export function topKProduct(P: TopKMatrix, X: Tensor): Tensor {
  expectShape("topKProduct", "X", X, [P.numNodes, "f"]);
  const { backend } = P;
  const cols = X.shape[1]!;
  const Y = empty(backend, X.shape);
  backend.spmm(Y.buffer, P.buffers(), X.buffer, cols);
  return record(Y, [P.values, X], (dY) => [
    (into) => {
      const dP = into ?? empty(backend, P.values.shape); // ⟨dY_i, X_j⟩ on stored entries
      backend.sddmm(dP.buffer, P.entries, dY.buffer, X.buffer, cols, { accumulate: into !== null });
      return dP;
    },
    (into) => {
      const dX = into ?? empty(backend, X.shape); // Pᵀ·dY
      backend.spmm(dX.buffer, P.transposed, dY.buffer, cols, into !== null);
      return dX;
    },
  ]);
}
