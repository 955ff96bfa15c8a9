import type { Backend, FinishBuffers, FinishGradArguments } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats } from "./storage.ts";

/** y_ic ← relu(y_ic + bias_c); bias and relu are each optional. */
export function finishRows(
  kernel: string,
  y: Float64Array,
  rows: number,
  cols: number,
  { bias, relu = false }: FinishBuffers = {},
): void {
  const b = bias && floats(kernel, "bias", bias, cols);
  for (let e = 0; e < rows * cols; e++) {
    if (b) y[e] += b[e % cols];
    if (relu) y[e] = Math.max(y[e], 0);
  }
}

export function finishGrad({ dZ, dots, dY, Y, rows, cols, finish: { bias, relu = false } }: FinishGradArguments): void {
  const dy = floats("finishGrad", "dY", dY, rows * cols);
  const y = floats("finishGrad", "Y", Y, rows * cols);
  const dz = relu ? floats("finishGrad", "dZ", dZ, rows * cols) : null;
  const out = floats("finishGrad", "dots", dots, rows);
  const b = bias && floats("finishGrad", "bias", bias, cols);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let c = 0; c < cols; c++) {
      const e = i * cols + c;
      const gradient = relu && !(y[e] > 0) ? 0 : dy[e];
      if (dz) dz[e] = gradient;
      sum += gradient * (y[e] - (b ? b[c] : 0));
    }
    out[i] = sum;
  }
}

export const finishGradRows: Backend["finishGradRows"] = ({ dZ, dots, dY, Y, places, cols, finish }) => {
  const name = "finishGradRows";
  const { numRows, numCols } = places;
  const dy = floats(name, "dY", dY, numCols * cols);
  const y = floats(name, "Y", Y, numCols * cols);
  const dz = floats(name, "dZ", dZ, numRows * cols);
  const out = floats(name, "dots", dots, numRows);
  const b = finish.bias && floats(name, "bias", finish.bias, cols);
  const { rowPtr, colIdx } = csrArrays(name, places);
  dz.fill(0, 0, numRows * cols);
  out.fill(0, 0, numRows);
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      for (let c = 0; c < cols; c++) {
        const at = colIdx[e] * cols + c;
        const gradient = finish.relu && !(y[at] > 0) ? 0 : dy[at];
        dz[i * cols + c] += gradient;
        out[i] += gradient * (y[at] - (b ? b[c] : 0));
      }
    }
  }
};
