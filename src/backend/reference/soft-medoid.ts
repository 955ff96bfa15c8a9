import type { SoftMedoidArguments, SoftMedoidGradArguments } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats } from "./storage.ts";

export function softMedoid({
  out,
  shares,
  S,
  X,
  cols,
  options: { temperature, scale, weightCorrection },
}: SoftMedoidArguments): void {
  const name = "softMedoid";
  const { rowPtr, colIdx, values, entries } = csrArrays(name, S);
  const y = floats(name, "out", out, S.numRows * cols);
  const q = floats(name, "shares", shares, entries);
  const x = floats(name, "X", X, S.numCols * cols);
  const factor = floats(name, "scale", scale, S.numRows);
  const a = (e: number) => (values ? values[e] : 1);
  const counts = (e: number) => !weightCorrection || a(e) > 0;
  for (let i = 0; i < S.numRows; i++) {
    const first = rowPtr[i];
    const last = rowPtr[i + 1];
    let top = Number.NEGATIVE_INFINITY;
    let Z = 0;
    for (let e = first; e < last; e++) {
      let delta = 0;
      for (let l = first; l < last; l++) delta += a(l) * distance(x, colIdx[e], colIdx[l], cols);
      q[e] = -delta / temperature;
      if (counts(e)) top = Math.max(top, q[e]);
    }
    for (let e = first; e < last; e++) {
      q[e] = counts(e) ? Math.exp(q[e] - top) * (weightCorrection ? a(e) : 1) : 0;
      Z += q[e];
    }
    y.fill(0, i * cols, (i + 1) * cols);
    for (let e = first; e < last; e++) {
      if (Z > 0) q[e] /= Z;
      for (let c = 0; c < cols; c++) y[i * cols + c] += factor[i] * q[e] * x[colIdx[e] * cols + c];
    }
  }
}

export function softMedoidGrad({
  dX,
  dY,
  shares,
  S,
  X,
  cols,
  options: { temperature, scale },
}: SoftMedoidGradArguments): void {
  const name = "softMedoidGrad";
  const { rowPtr, colIdx, values, entries } = csrArrays(name, S);
  const dx = floats(name, "dX", dX, S.numCols * cols);
  const g = floats(name, "dY", dY, S.numRows * cols);
  const q = floats(name, "shares", shares, entries);
  const x = floats(name, "X", X, S.numCols * cols);
  const factor = floats(name, "scale", scale, S.numRows);
  const a = (e: number) => (values ? values[e] : 1);
  const towards = new Float64Array(entries); // ∂L/∂δ
  for (let i = 0; i < S.numRows; i++) {
    const first = rowPtr[i];
    const last = rowPtr[i + 1];
    let mean = 0;
    for (let e = first; e < last; e++) {
      towards[e] = 0;
      for (let c = 0; c < cols; c++) towards[e] += factor[i] * g[i * cols + c] * x[colIdx[e] * cols + c];
      mean += q[e] * towards[e];
    }
    for (let e = first; e < last; e++) towards[e] = (-q[e] * (towards[e] - mean)) / temperature;
    for (let e = first; e < last; e++) {
      const j = colIdx[e];
      for (let c = 0; c < cols; c++) dx[j * cols + c] += factor[i] * q[e] * g[i * cols + c];
      for (let l = first; l < last; l++) {
        const apart = distance(x, j, colIdx[l], cols);
        if (apart === 0) continue;
        const pull = (towards[e] * a(l) + towards[l] * a(e)) / apart;
        for (let c = 0; c < cols; c++) dx[j * cols + c] += pull * (x[j * cols + c] - x[colIdx[l] * cols + c]);
      }
    }
  }
}

function distance(x: Float64Array, i: number, j: number, cols: number): number {
  let sum = 0;
  for (let c = 0; c < cols; c++) sum += (x[i * cols + c] - x[j * cols + c]) ** 2;
  return Math.sqrt(sum);
}
