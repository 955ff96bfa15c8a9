import type { Backend } from "../../../backend/backend.ts";
import type { Csr } from "../../../graph/csr.ts";
import type { Pprgo } from "../../../nn/models/pprgo.ts";
import {
  matmul,
  SparseMatrix,
  scope,
  sum,
  type Tensor,
  tensor,
  type Values,
  valueAndGrad,
} from "../../../tensor/index.ts";
import { lossOfRow, type RowLoss } from "./goal-loss.ts";

/**
 * Slots without weight that share a row when gradients are computed; as many as there are slots with weight, if these
 * are more.
 */
const TOGETHER = 160;

/** The last step of PPRGo or a relative: logits from weights over slots and from the encodings of their nodes. */
export class Mixture {
  private readonly model: Pprgo;
  private readonly slots: Int32Array;
  private readonly encoded: Tensor;

  /** Gradients are for these slots, ascending. `encoded` belongs to the caller. */
  constructor(model: Pprgo, slots: Int32Array, encoded: Tensor) {
    this.model = model;
    this.slots = slots;
    this.encoded = encoded;
  }

  /** Logits for a row of PageRank by slot, and the gradient of a loss by its values. Values of 0 get a gradient too. */
  async at(bySlot: Float64Array, loss: RowLoss) {
    const { backend } = this.model;
    const weighted = this.slots.filter((slot) => bySlot[slot] !== 0);
    const logits = await this.logitsAt(weighted, bySlot); // slots without weight change nothing
    const { value, gradient: byLogits } = await lossOfRow(loss, logits);

    const rows = this.rowsOver(bySlot, weighted);
    const values = valuesOf(rows, bySlot, backend);
    const direction = tensor(backend, byLogits, [byLogits.length, 1]);
    const along = valueAndGrad(() => [sum(matmul(this.mix(rows, values), direction))], [values]);
    const made = [values, direction, along.value, along.grads[0]];
    const byEntry = await along.grads[0].read().finally(() => {
      for (const one of made) one.dispose();
    });
    const byValues = new Float64Array(bySlot.length);
    // Slots with weight are in every row, with the same gradient in each.
    for (let e = 0; e < rows.colIdx.length; e++) byValues[rows.colIdx[e]] = byEntry[e];
    return { loss: value, logits, byValues };
  }

  private async logitsAt(slots: Int32Array, bySlot: Float64Array): Promise<Values> {
    const row = patternOf([slots], bySlot.length);
    const logits = scope(() => this.mix(row, valuesOf(row, bySlot, this.model.backend)));
    return logits.read().finally(() => logits.dispose());
  }

  private mix(pattern: Csr, values: Tensor): Tensor {
    const { model, encoded } = this;
    const wide = { ...pattern, numCols: encoded.shape[0] };
    return model.mix(SparseMatrix.upload(model.backend, wide).withValues(values), encoded);
  }

  /** Logits for several rows over the slots. */
  async logitsOf(rows: Csr): Promise<Values[]> {
    const { model, encoded } = this;
    const wide = { ...rows, numCols: encoded.shape[0] };
    const logits = scope(() => model.mix(SparseMatrix.upload(model.backend, wide), encoded));
    const classes = logits.shape[1];
    const values = await logits.read().finally(() => logits.dispose());
    return Array.from({ length: rows.numRows }, (_, t) => values.subarray(t * classes, (t + 1) * classes));
  }

  /**
   * The row repeated, each time with other slots of weight 0 that need a gradient. One row with all of them would give
   * the same, but a median is found faster in many short rows, and by all threads.
   */
  private rowsOver(bySlot: Float64Array, weighted: Int32Array): Csr {
    const others = this.slots.filter((slot) => bySlot[slot] === 0);
    const size = Math.max(TOGETHER, weighted.length);
    const rows: Int32Array[] = [];
    for (let begin = 0; begin === 0 || begin < others.length; begin += size) {
      rows.push(merged(weighted, others.subarray(begin, begin + size)));
    }
    return patternOf(rows, bySlot.length);
  }
}

/** Rows with these columns. */
function patternOf(rows: readonly Int32Array[], numCols: number): Csr {
  const rowPtr = new Int32Array(rows.length + 1);
  for (const [r, { length }] of rows.entries()) rowPtr[r + 1] = rowPtr[r] + length;
  const colIdx = new Int32Array(rowPtr[rows.length]);
  for (const [r, columns] of rows.entries()) colIdx.set(columns, rowPtr[r]);
  return { numRows: rows.length, numCols, rowPtr, colIdx, values: null };
}

/** The value of each entry's slot. */
function valuesOf({ colIdx }: Csr, bySlot: Float64Array, backend: Backend): Tensor {
  const values = new Float64Array(colIdx.length);
  for (let e = 0; e < colIdx.length; e++) values[e] = bySlot[colIdx[e]];
  return tensor(backend, values, [colIdx.length]);
}

/** Two ascending lists in one. */
function merged(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(a.length + b.length);
  for (let i = 0, j = 0; i + j < both.length; ) {
    const takesA = j === b.length || (i < a.length && a[i] < b[j]);
    both[i + j] = takesA ? a[i] : b[j];
    if (takesA) i++;
    else j++;
  }
  return both;
}
