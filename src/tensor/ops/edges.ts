import type { CsrBuffers, PairBuffers } from "../../backend/backend.ts";
import { check, ShapeError } from "../../core/errors.ts";
import { record } from "../tape.ts";
import { empty, expectShape, filled, type Tensor } from "../tensor.ts";

/** Where a sparse matrix has entries, which is all that these ops ask of one. */
export interface EntryPattern {
  readonly numRows: number;
  readonly numCols: number;
  readonly numEntries: number;
  readonly entries: PairBuffers;
  readonly buffers: CsrBuffers;
}

/** y_e = x_i for each stored entry e = (i, j). */
export function rowValues(S: EntryPattern, x: Tensor): Tensor {
  expectSize("rowValues", x, S.numRows);
  const { backend } = x;
  const y = empty(backend, [S.numEntries]);
  backend.pairSums(y.buffer, S.entries, x.buffer, "source");
  return record(y, [x], (dy) => [
    (into) => {
      const dx = into ?? empty(backend, x.shape); // sum over each row
      backend.rowSums(dx.buffer, { ...S.buffers, values: dy.buffer }, into !== null);
      return dx;
    },
  ]);
}

/** y_e = x_j for each stored entry e = (i, j). */
export function columnValues(S: EntryPattern, x: Tensor): Tensor {
  expectSize("columnValues", x, S.numCols);
  const { backend } = x;
  const y = empty(backend, [S.numEntries]);
  backend.pairSums(y.buffer, S.entries, x.buffer, "target");
  return record(y, [x], (dy) => [
    (into) => {
      const dx = into ?? filled(backend, x.shape, 0); // sum over each column
      backend.scatterAddRows(dx.buffer, dy.buffer, S.entries.targets, S.numCols, 1);
      return dx;
    },
  ]);
}

/** y_e = softmax of x over the entries of e's row: attention coefficients. */
export function edgeSoftmax(S: EntryPattern, x: Tensor): Tensor {
  expectShape("edgeSoftmax", "x", x, [S.numEntries]);
  const { backend } = x;
  const y = empty(backend, x.shape);
  backend.edgeSoftmax(y.buffer, S.buffers, x.buffer);
  return record(y, [x], (dy) => [
    () => {
      const dx = empty(backend, x.shape);
      backend.edgeSoftmaxGrad(dx.buffer, S.buffers, dy.buffer, y.buffer);
      return dx;
    },
  ]);
}

/** A vector may come as [n] or as a column [n, 1]. */
function expectSize(op: string, x: Tensor, size: number): void {
  check(x.size === size, () => `${op}: x must have ${size} elements, got shape [${x.shape.join(", ")}]`, ShapeError);
}
