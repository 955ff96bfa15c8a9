import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";

type Parts = Pick<Backend, "view" | "affine" | "affineCols" | "scaleRows" | "spmm" | "unary">;

/** A convolution from simpler kernels, for devices that bind fewer buffers than all of it takes. */
export function composeConvolve(gpu: Gpu, parts: Parts): Backend["convolve"] {
  return (out, { A, B }, X, cols, { by, sides }, { bias, relu } = {}) => {
    const { numRows } = A;
    const y = parts.view(out, 0, numRows * cols);
    gpu.borrow({ temporary: { f32: sides === "left" ? 0 : numRows * cols } }, ({ temporary }) => {
      if (sides !== "left") parts.scaleRows(temporary, X, by, numRows, cols);
      const from = sides === "left" ? X : temporary;
      parts.spmm(y, A, from, cols);
      if (B) parts.spmm(y, B, from, cols, true);
      parts.affine(y, 1, y, 1, from, 0);
    });
    if (sides !== "right") parts.scaleRows(y, y, by, numRows, cols);
    if (bias) parts.affineCols(y, y, null, bias, numRows, cols);
    if (relu) parts.unary("relu", y, y);
  };
}
