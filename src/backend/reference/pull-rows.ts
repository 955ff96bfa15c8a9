import type { Backend, Buffer } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";

export const pullRows: Backend["pullRows"] = (dX, S, from, cols, accumulate = false) => {
  const name = "pullRows";
  const { rowPtr, colIdx, entries } = csrArrays(name, S);
  const y = floats(name, "dX", dX, S.numRows * cols);
  const terms = floats(name, "terms", from.terms, 2 * entries);
  const [g, m] = [floats(name, "G", from.G, S.numCols * cols), floats(name, "M", from.M, S.numCols * cols)];
  const x = floats(name, "X", from.X, S.numRows * cols);
  for (let j = 0; j < S.numRows; j++) {
    for (let c = 0; c < cols; c++) {
      let sum = accumulate ? y[j * cols + c]! : 0;
      for (let e = rowPtr[j]!; e < rowPtr[j + 1]!; e++) {
        const at = colIdx[e]! * cols + c;
        sum += terms[2 * e]! * g[at]! + terms[2 * e + 1]! * (x[j * cols + c]! - m[at]!);
      }
      y[j * cols + c] = sum;
    }
  }
};

export function scatterAddEntries(out: Buffer, X: Buffer, at: Buffer, rows: number, cols: number): void {
  const name = "scatterAddEntries";
  const [y, x] = [floats(name, "out", out), floats(name, "X", X, rows * cols)];
  const to = ints(name, "at", at, rows * cols);
  for (let e = 0; e < rows * cols; e++) if (to[e]! >= 0) y[to[e]! * cols + (e % cols)]! += x[e]!;
}
