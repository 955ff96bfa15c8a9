import type { Backend } from "../backend.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";

export const pullRows: Backend["pullRows"] = (dX, S, from, cols, accumulate = false) => {
  const name = "pullRows";
  const { rowPtr, colIdx, entries } = csrArrays(name, S);
  const y = floats(name, "dX", dX, S.numRows * cols);
  const terms = floats(name, "terms", from.terms, 2 * entries);
  const order = ints(name, "order", from.order, entries);
  const g = floats(name, "G", from.G, S.numCols * cols);
  const m = floats(name, "M", from.M, S.numCols * cols);
  const x = floats(name, "X", from.X, S.numRows * cols);
  for (let j = 0; j < S.numRows; j++) {
    for (let c = 0; c < cols; c++) {
      let sum = accumulate ? y[j * cols + c] : 0;
      for (let e = rowPtr[j]; e < rowPtr[j + 1]; e++) {
        const at = colIdx[e] * cols + c;
        const direct = terms[2 * order[e]];
        const pull = terms[2 * order[e] + 1];
        sum += direct * g[at] + pull * (x[j * cols + c] - m[at]);
      }
      y[j * cols + c] = sum;
    }
  }
  if (!from.held) return;
  const size = S.numCols * cols;
  const grad = floats(name, "held.grad", from.held.grad, size);
  const at = ints(name, "held.at", from.held.at, size);
  for (let e = 0; e < size; e++) if (at[e] >= 0) y[at[e] * cols + (e % cols)] += grad[e];
};
