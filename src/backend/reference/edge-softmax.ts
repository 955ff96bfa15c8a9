import type { Buffer, CsrBuffers } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { shiftedSum } from "./softmax-rows.ts";
import { floats } from "./storage.ts";

/** out_e = softmax over the entries of e's row. The values of S are not used. */
export function edgeSoftmax(out: Buffer, S: CsrBuffers, x: Buffer): void {
  const { rowPtr, entries } = csrArrays("edgeSoftmax", S);
  const y = floats("edgeSoftmax", "out", out, entries);
  const scores = floats("edgeSoftmax", "x", x, entries);
  for (let i = 0; i < S.numRows; i++) {
    const { top, sum } = shiftedSum(scores, rowPtr[i], rowPtr[i + 1]);
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) y[e] = Math.exp(scores[e] - top) / sum;
  }
}

export function edgeSoftmaxGrad(dx: Buffer, S: CsrBuffers, dy: Buffer, y: Buffer): void {
  const { rowPtr, entries } = csrArrays("edgeSoftmaxGrad", S);
  const result = floats("edgeSoftmaxGrad", "dx", dx, entries);
  const gradient = floats("edgeSoftmaxGrad", "dy", dy, entries);
  const softmax = floats("edgeSoftmaxGrad", "y", y, entries);
  for (let i = 0; i < S.numRows; i++) {
    let inner = 0;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) inner += gradient[e] * softmax[e];
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) result[e] = softmax[e] * (gradient[e] - inner);
  }
}
