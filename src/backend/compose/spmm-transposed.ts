import type { Backend } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** Multiplies, then transposes. */
export function spmmTransposed(parts: Backend): Backend["spmmTransposed"] {
  return (out, S, X, cols) =>
    borrow(parts, "f32", S.numRows * cols, (product) => {
      parts.spmm(product, S, X, cols);
      parts.transpose(out, product, S.numRows, cols);
    });
}
