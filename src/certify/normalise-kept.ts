import type { Buffer } from "../backend/backend.ts";
import { empty, type Tensor } from "../tensor/index.ts";

/** Divides by row sums and once more by the roots of column sums, as `NormalisedTopK` does: to = kept_ij / (r_i·√(c_i c_j)). Overwrites `kept`. */
export function normaliseKept(to: Buffer, columns: Buffer, kept: Tensor): void {
  const { backend } = kept;
  const [rows, cols] = kept.shape as [number, number];
  const rowSums = empty(backend, [rows]);
  backend.rowDots(rowSums.buffer, kept.buffer, null, rows, cols);
  backend.unary("reciprocal", rowSums.buffer, rowSums.buffer);
  backend.scaleRows({ out: to, X: kept.buffer, scale: rowSums.buffer, rows, cols });
  const roots = empty(backend, [rows]);
  backend.fill(roots.buffer, 0);
  backend.scatterAddRows(roots.buffer, to, columns, rows, 1);
  backend.unary("rsqrt", roots.buffer, roots.buffer);
  backend.scaleRows({ out: to, X: to, scale: roots.buffer, rows, cols });
  const ofColumns = kept.buffer; // overwritten: nobody needs it any more
  backend.gatherRows(ofColumns, roots.buffer, columns, 1);
  backend.binary("mul", to, to, ofColumns);
}
