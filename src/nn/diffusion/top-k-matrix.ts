import type { Backend, Buffer, CsrBuffers, PairBuffers } from "../../backend/backend.ts";
import {
  defer,
  type EntryPattern,
  empty,
  expectShape,
  IntTensor,
  keep,
  OpKind,
  type Tensor,
} from "../../tensor/index.ts";
import { type Disposable, register } from "../../tensor/scope.ts";

/**
 * A square sparse matrix with the same number of entries in every row. The device chooses its columns and the host
 * never reads them, so that a forward pass does not wait. Lives until the end of the scope.
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
  private ownTransposed: Tensor | null = null;
  private cachedPattern: GroupedEntries | null = null;

  constructor(columns: IntTensor, values: Tensor) {
    const [n, k] = values.shape as [number, number];
    this.backend = values.backend;
    this.numNodes = n;
    this.k = k;
    this.columns = columns;
    this.values = values;
    this.rows = IntTensor.from(this.backend, rowOfEach(n, k));
    this.rowPtr = IntTensor.from(this.backend, rowStarts(n, k));
    register(this);
  }

  /** The matrix for kernels, with its own values or with others in the same places. */
  buffers(values: Tensor = this.values): CsrBuffers {
    const { numNodes } = this;
    const rowPtr = this.rowPtr.buffer;
    const colIdx = this.columns.buffer;
    return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values: values.buffer };
  }

  /** Where it has entries, without their values. */
  get pattern(): EntryPattern {
    const { numNodes, k, entries } = this;
    const buffers = { ...this.buffers(), values: null };
    return { numRows: numNodes, numCols: numNodes, numEntries: numNodes * k, entries, buffers };
  }

  /** (row, column) of each entry. */
  get entries(): PairBuffers {
    const sources = this.rows.buffer;
    const targets = this.columns.buffer;
    return { numNodes: this.numNodes, directed: true, length: this.numNodes * this.k, sources, targets };
  }

  get transposed(): CsrBuffers {
    this.ownTransposed ??= keep(this.inTransposedOrder(this.values));
    return { ...this.transposedPattern, values: this.ownTransposed.buffer };
  }

  /** The transpose with other values in the same places. */
  transposedWith(values: Tensor): CsrBuffers {
    return { ...this.transposedPattern, values: this.inTransposedOrder(values).buffer };
  }

  get transposedPattern(): CsrBuffers {
    const { rowPtr, rows } = this.groupedEntries();
    const { numNodes } = this;
    return { numRows: numNodes, numCols: numNodes, rowPtr: rowPtr.buffer, colIdx: rows.buffer, values: null };
  }

  /** i32: for each entry of the transpose, its position among the entries of the matrix. */
  get transposedOrder(): Buffer {
    return this.groupedEntries().order.buffer;
  }

  private inTransposedOrder(values: Tensor): Tensor {
    const result = empty(this.backend, [this.numNodes * this.k]);
    this.backend.gatherRows(result.buffer, values.buffer, this.transposedOrder, 1);
    return result;
  }

  /** The entries grouped by column, each group in ascending order of rows. Made when a gradient first needs it. */
  private groupedEntries(): GroupedEntries {
    if (this.cachedPattern) return this.cachedPattern;
    const { backend, numNodes, k } = this;
    const ints = (length: number) => keep(new IntTensor(backend, backend.alloc("i32", length)));
    const rowPtr = ints(numNodes + 1);
    const order = ints(numNodes * k);
    const rows = ints(numNodes * k);
    backend.groupIndices(rowPtr.buffer, order.buffer, this.columns.buffer);
    backend.gatherRows(rows.buffer, this.rows.buffer, order.buffer, 1);
    return (this.cachedPattern = { rowPtr, order, rows });
  }

  get parts(): Disposable[] {
    return [this.columns, this.values, this.rows, this.rowPtr];
  }

  dispose(): void {
    for (const part of [...this.parts, ...Object.values(this.cachedPattern ?? {})]) part.dispose();
    this.ownTransposed?.dispose();
  }
}

function rowOfEach(n: number, k: number): Int32Array {
  const rows = new Int32Array(n * k);
  for (let i = 0; i < n; i++) rows.fill(i, i * k, (i + 1) * k); // no call per entry: an attack does this once per epoch
  return rows;
}

function rowStarts(n: number, k: number): Int32Array {
  return Int32Array.from({ length: n + 1 }, (_, i) => i * k);
}

interface GroupedEntries {
  readonly rowPtr: IntTensor;
  /** For each entry of the transpose, its position among the entries of the matrix. */
  readonly order: IntTensor;
  readonly rows: IntTensor;
}

interface TopKProduct {
  readonly P: TopKMatrix;
  readonly X: Tensor;
  readonly values: Tensor;
}

const TOP_K_PRODUCT = new OpKind<TopKProduct>("topKProduct", {
  mixesRows: { rows: ({ X }) => X, on: ({ P, values }, X) => topKProduct(P, X, values) },
});

/** `Y = P·X`, differentiable in `values`, which may replace those of `P`, and in `X`. */
export function topKProduct(P: TopKMatrix, X: Tensor, values: Tensor = P.values): Tensor {
  expectShape("topKProduct", "X", X, [P.numNodes, "f"]);
  const { backend } = P;
  const cols = X.shape[1];
  return defer({
    kind: TOP_K_PRODUCT,
    operands: { P, X, values },
    backend,
    shape: X.shape,
    inputs: [values, X],
    forward: (Y) => backend.spmm(Y.buffer, P.buffers(values), X.buffer, cols),
    gradients: (dY) => [
      () => {
        const dP = empty(backend, values.shape); // ⟨dY_i, X_j⟩ on stored entries
        backend.sddmm({ out: dP.buffer, pairs: P.entries, P: dY.buffer, Q: X.buffer, cols });
        return dP;
      },
      () => {
        const dX = empty(backend, X.shape); // Pᵀ·dY
        const transposed = values === P.values ? P.transposed : P.transposedWith(values);
        backend.spmm(dX.buffer, transposed, dY.buffer, cols);
        return dX;
      },
    ],
  });
}
