import type { Backend } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** L·(A + B + I)·R·X, one factor after the other, then bias and activation. */
export function convolve(parts: Backend): Backend["convolve"] {
  return (out, { A, B }, X, cols, { by, sides }, { bias, relu } = {}) => {
    const { numRows } = A;
    const Y = parts.view(out, 0, numRows * cols);
    const addNeighbours = (RX: typeof X) => {
      parts.spmm(Y, A, RX, cols);
      if (B) parts.spmm(Y, B, RX, cols, true);
      parts.affine(Y, 1, Y, 1, RX, 0);
    };
    if (sides === "left") addNeighbours(X);
    else {
      borrow(parts, "f32", numRows * cols, (RX) => {
        parts.scaleRows(RX, X, by, numRows, cols);
        addNeighbours(RX);
      });
    }
    if (sides !== "right") parts.scaleRows(Y, Y, by, numRows, cols);
    if (bias) parts.affineCols(Y, Y, null, bias, numRows, cols);
    if (relu) parts.unary("relu", Y, Y);
  };
}

/** All rows, then those that are asked for. */
export function convolveRows(parts: Backend): Backend["convolveRows"] {
  return (out, rows, graph, X, cols, scale, finish) =>
    borrow(parts, "f32", graph.A.numRows * cols, (all) => {
      parts.convolve(all, graph, X, cols, scale, finish);
      parts.gatherRows(out, all, rows, cols);
    });
}

/** Edges stay where they are. */
export function mergeEdges(): Backend["mergeEdges"] {
  return () => null;
}

export function degreeScale(parts: Backend): Backend["degreeScale"] {
  return (out, { A, B }, f) => {
    const degrees = parts.view(out, 0, A.numRows);
    parts.rowSums(degrees, A);
    if (B) parts.rowSums(degrees, B, true);
    parts.affine(degrees, 1, degrees, 0, null, 1);
    parts.unary(f, degrees, degrees);
  };
}

/** dX by a convolution, its products with the rows of X, and the quotient. */
export function convolveGrad(parts: Backend): Backend["convolveGrad"] {
  return ({ dX, dScale }, graph, dZ, X, cols, { by, dots, accumulate = false }) => {
    const { numRows } = graph.A;
    const quotient = (dX: typeof X) => {
      parts.convolve(dX, graph, dZ, cols, { by, sides: "both" });
      borrow(parts, "f32", numRows, (sums) => {
        parts.rowDots(sums, dX, X, numRows, cols);
        parts.affine(sums, 1, sums, 1, dots, 0);
        const to = parts.view(accumulate ? sums : dScale, 0, numRows);
        parts.binary("div", to, sums, by);
        const total = parts.view(dScale, 0, numRows);
        if (accumulate) parts.affine(total, 1, total, 1, sums, 0);
      });
    };
    if (dX) quotient(dX);
    else borrow(parts, "f32", numRows * cols, quotient);
  };
}
