import {
  defer,
  empty,
  expectShape,
  type GraphView,
  IntTensor,
  keep,
  logSoftmax,
  OpKind,
  pick,
  SparseMatrix,
  type Tensor,
} from "../../../tensor/index.ts";
import { labelsOf } from "../node-set.ts";
import type { TrainTask } from "../train.ts";

const GATHER_BLOCKS = new OpKind("gatherBlocks");
const SPARSE_VECTOR = new OpKind("sparseVector");

/** Losses of one pass. */
export interface PassLosses {
  /** The sum of all training losses. Its gradient with respect to a model's weights is that of the model's own loss. */
  readonly total: Tensor;
  /** Validation losses of all models, then their training losses. */
  readonly each: Tensor;
}

/** Cross-entropy of each model on its own training and validation nodes, from the logits of all models side by side. */
export class StackedLosses {
  private readonly classes: number;
  private readonly rows: IntTensor;
  private readonly labels: IntTensor;
  private readonly means: SparseMatrix;
  private readonly total: SparseMatrix;

  constructor(view: GraphView, tasks: readonly TrainTask[], classes: number) {
    const { backend } = view;
    const sets = [...tasks.map(({ val }) => val), ...tasks.map(({ train }) => train)];
    const models = tasks.length;
    const rows = sets.flatMap((nodes, s) => Array.from(nodes, (node) => node * models + (s % models)));
    const labels = sets.flatMap((nodes) => Array.from(labelsOf(view, nodes)));
    this.classes = classes;
    this.rows = keep(IntTensor.from(backend, rows));
    this.labels = keep(IntTensor.from(backend, labels));
    const sizes = sets.map(({ length }) => length);
    const ends = sizes.map((_, s) => sizes.slice(0, s + 1).reduce((sum, size) => sum + size, 0));
    const weights = Float32Array.from(sizes.flatMap((size) => new Array<number>(size).fill(-1 / size)));
    const columns = Int32Array.from(weights.keys());
    const numCols = weights.length;
    const trained = ends[models - 1]; // the first position after the validation nodes
    this.means = keep(
      SparseMatrix.upload(backend, {
        numRows: sets.length,
        numCols,
        rowPtr: Int32Array.of(0, ...ends),
        colIdx: columns,
        values: weights,
      }),
    );
    this.total = keep(
      SparseMatrix.upload(backend, {
        numRows: 1,
        numCols,
        rowPtr: Int32Array.of(0, numCols - trained),
        colIdx: columns.slice(trained),
        values: weights.slice(trained),
      }),
    );
  }

  /** From logits [numNodes, models·classes]. */
  of(logits: Tensor): PassLosses {
    const logProbabilities = pick(logSoftmax(gatherBlocks(logits, this.rows, this.classes)), this.labels);
    return { total: sparseVector(this.total, logProbabilities), each: sparseVector(this.means, logProbabilities) };
  }

  dispose(): void {
    for (const item of [this.rows, this.labels, this.means, this.total]) item.dispose();
  }
}

/** Gathers rows after cutting `X` into rows of `width`: row `i·models + g` holds the columns of model g in row i. */
export function gatherBlocks(X: Tensor, index: IntTensor, width: number): Tensor {
  expectShape("gatherBlocks", "X", X, ["n", "f"]);
  const { backend } = X;
  const rows = X.size / width;
  index.expectBelow("gatherBlocks", "rows", rows);
  return defer({
    kind: GATHER_BLOCKS,
    operands: {},
    backend,
    shape: [index.length, width],
    inputs: [X],
    forward: (Y) => backend.gatherRows(Y.buffer, X.buffer, index.buffer, width),
    gradients: (dY) => [
      () => {
        const dX = empty(backend, X.shape);
        backend.spmm(dX.buffer, index.placesIn(rows), dY.buffer, width);
        return dX;
      },
    ],
  });
}

/** S·x for a matrix that does not change. */
export function sparseVector(S: SparseMatrix, x: Tensor): Tensor {
  expectShape("sparseVector", "x", x, [S.numCols]);
  const { backend } = x;
  return defer({
    kind: SPARSE_VECTOR,
    operands: {},
    backend,
    shape: [S.numRows],
    inputs: [x],
    forward: (y) => backend.spmm(y.buffer, S.buffers, x.buffer, 1),
    gradients: (dy) => [
      () => {
        const dx = empty(backend, x.shape);
        backend.spmm(dx.buffer, S.transposed.buffers, dy.buffer, 1);
        return dx;
      },
    ],
  });
}
