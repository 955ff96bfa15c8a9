import type { SoftMedianArguments, SoftMedianGradArguments, SoftMedianToX } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";
import { medianColumn } from "./weighted-median.ts";

/** Limit of exponents above the closest neighbour with weight: weightless ones may be closer, and exp overflow. */
const HIGHEST = 60;

export function softMedian({ out, saved, S, X, cols, temperature }: SoftMedianArguments): void {
  const name = "softMedian";
  const { rowPtr, colIdx, values, entries } = csrArrays(name, S);
  const y = floats(name, "out", out, S.numRows * cols);
  const m = floats(name, "saved.median", saved.median, S.numRows * cols);
  const at = ints(name, "saved.at", saved.at, S.numRows * cols);
  const share = floats(name, "saved.shares", saved.shares, entries);
  const x = floats(name, "X", X, S.numCols * cols);
  for (let i = 0; i < S.numRows; i++) {
    const first = rowPtr[i];
    const last = rowPtr[i + 1];
    for (let c = 0; c < cols; c++) {
      const j = medianColumn({ first, last, colIdx, values }, (node) => x[node * cols + c]);
      m[i * cols + c] = j < 0 ? 0 : x[j * cols + c];
      at[i * cols + c] = j;
    }
    const a = (e: number) => (values ? values[e] : 1);
    const exponent = (e: number) => -distance(m, i, x, colIdx[e], cols) / temperature;
    let top = Number.NEGATIVE_INFINITY;
    let W = 0;
    let Z = 0;
    for (let e = first; e < last; e++) if (a(e) > 0) top = Math.max(top, exponent(e));
    for (let e = first; e < last; e++) {
      share[e] = top === Number.NEGATIVE_INFINITY ? 0 : Math.exp(Math.min(exponent(e) - top, HIGHEST)); // shifted: never 0 / 0
      W += a(e);
      Z += a(e) * share[e];
    }
    y.fill(0, i * cols, (i + 1) * cols);
    for (let e = first; e < last; e++) {
      if (Z > 0) share[e] /= Z;
      for (let c = 0; c < cols; c++) y[i * cols + c] += W * a(e) * share[e] * x[colIdx[e] * cols + c];
    }
  }
}

export function softMedianGrad({
  values: dValues,
  toX,
  dY,
  S,
  X,
  saved,
  cols,
  temperature,
}: SoftMedianGradArguments): void {
  const name = "softMedianGrad";
  const { rowPtr, colIdx, values, entries } = csrArrays(name, S);
  const da = dValues && floats(name, "values", dValues, entries);
  const parts = toX && arraysToX(name, toX, entries, S.numRows * cols);
  const g = floats(name, "dY", dY, S.numRows * cols);
  const x = floats(name, "X", X, S.numCols * cols);
  const m = floats(name, "saved.median", saved.median, S.numRows * cols);
  const share = floats(name, "saved.shares", saved.shares, entries);
  for (let i = 0; i < S.numRows; i++) {
    const first = rowPtr[i];
    const last = rowPtr[i + 1];
    const a = (e: number) => (values ? values[e] : 1);
    let W = 0;
    let inner = 0; // inner = ⟨dY_i, Σ q x⟩ = ē / W
    for (let e = first; e < last; e++) {
      W += a(e);
      inner += a(e) * share[e] * dot(g, i, x, colIdx[e], cols);
    }
    parts?.medianGrad.fill(0, i * cols, (i + 1) * cols);
    for (let e = first; e < last; e++) {
      const j = colIdx[e];
      const excess = W * (dot(g, i, x, j, cols) - inner); // e_j − ē
      if (da) da[e] = share[e] * excess + inner;
      if (!parts) continue;
      const c = distance(m, i, x, j, cols);
      const pull = c === 0 ? 0 : (-a(e) * share[e] * excess) / (temperature * cols * c);
      parts.terms.set([W * a(e) * share[e], pull], 2 * e);
      for (let f = 0; f < cols; f++) {
        parts.medianGrad[i * cols + f] -= pull * (x[j * cols + f] - m[i * cols + f]);
      }
    }
  }
}

function arraysToX(name: string, toX: SoftMedianToX, entries: number, size: number) {
  return {
    terms: floats(name, "toX.terms", toX.terms, 2 * entries),
    medianGrad: floats(name, "toX.medianGrad", toX.medianGrad, size),
  };
}

/** ‖M_i − X_j‖ / √cols. */
function distance(m: Float64Array, i: number, x: Float64Array, j: number, cols: number): number {
  let sum = 0;
  for (let c = 0; c < cols; c++) sum += (m[i * cols + c] - x[j * cols + c]) ** 2;
  return Math.sqrt(sum / cols);
}

function dot(g: Float64Array, i: number, x: Float64Array, j: number, cols: number): number {
  let sum = 0;
  for (let c = 0; c < cols; c++) sum += g[i * cols + c] * x[j * cols + c];
  return sum;
}
