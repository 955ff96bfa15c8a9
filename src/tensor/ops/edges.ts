import type { CsrBuffers, PairBuffers } from "../../backend/backend.ts";
import { check, ShapeError } from "../../core/errors.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor.ts";

/** Where a sparse matrix has entries: all that these ops need of it. */
export interface EntryPattern {
  readonly numRows: number;
  readonly numCols: number;
  readonly numEntries: number;
  readonly entries: PairBuffers;
  readonly buffers: CsrBuffers;
}

const ROW_VALUES = new OpKind("rowValues");
const COLUMN_VALUES = new OpKind("columnValues");
const EDGE_SOFTMAX = new OpKind("edgeSoftmax");

/** y_e = x_i for each stored entry e = (i, j). */
export function rowValues(S: EntryPattern, x: Tensor): Tensor {
  expectSize("rowValues", x, S.numRows);
  const { backend } = x;
  return defer({
    kind: ROW_VALUES,
    operands: {},
    backend,
    shape: [S.numEntries],
    inputs: [x],
    forward: (y) => backend.pairSums({ out: y.buffer, pairs: S.entries, x: x.buffer, ends: "source" }),
    gradients: (dy) => [
      () => {
        const dx = empty(backend, x.shape); // sum over each row
        backend.rowSums(dx.buffer, { ...S.buffers, values: dy.buffer });
        return dx;
      },
    ],
  });
}

/** y_e = x_j for each stored entry e = (i, j). */
export function columnValues(S: EntryPattern, x: Tensor): Tensor {
  expectSize("columnValues", x, S.numCols);
  const { backend } = x;
  return defer({
    kind: COLUMN_VALUES,
    operands: {},
    backend,
    shape: [S.numEntries],
    inputs: [x],
    forward: (y) => backend.pairSums({ out: y.buffer, pairs: S.entries, x: x.buffer, ends: "target" }),
    gradients: (dy) => [
      () => {
        const dx = filled(backend, x.shape, 0); // sum over each column
        backend.scatterAddRows(dx.buffer, dy.buffer, S.entries.targets, S.numCols, 1);
        return dx;
      },
    ],
  });
}

/** y_e = softmax of x over the entries of e's row: attention coefficients. */
export function edgeSoftmax(S: EntryPattern, x: Tensor): Tensor {
  expectShape("edgeSoftmax", "x", x, [S.numEntries]);
  const { backend } = x;
  return defer({
    kind: EDGE_SOFTMAX,
    operands: {},
    backend,
    shape: x.shape,
    inputs: [x],
    forward: (y) => backend.edgeSoftmax(y.buffer, S.buffers, x.buffer),
    gradients: (dy, y) => [
      () => {
        const dx = empty(backend, x.shape);
        backend.edgeSoftmaxGrad(dx.buffer, S.buffers, dy.buffer, y.buffer);
        return dx;
      },
    ],
  });
}

/** A vector may come as [n] or as a column [n, 1]. */
function expectSize(op: string, x: Tensor, size: number): void {
  check(x.size === size, () => `${op}: x must have ${size} elements, got shape [${x.shape.join(", ")}]`, ShapeError);
}
