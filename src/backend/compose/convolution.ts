import type { Backend } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** L·(A + B + I)·R·X, one factor after the other, then bias and activation. */
export function convolve(parts: Backend): Backend["convolve"] {
  return ({ out, graph: { A, B }, X, cols, scale: { by, sides }, finish: { bias, relu } = {} }) => {
    const { numRows } = A;
    const Y = parts.view(out, 0, numRows * cols);
    const addNeighbours = (RX: typeof X) => {
      parts.spmm(Y, A, RX, cols);
      if (B) parts.spmm(Y, B, RX, cols, true);
      parts.affine({ out: Y, a: 1, A: Y, b: 1, B: RX });
    };
    if (sides === "left") addNeighbours(X);
    else {
      borrow(parts, "f32", numRows * cols, (RX) => {
        parts.scaleRows({ out: RX, X, scale: by, rows: numRows, cols });
        addNeighbours(RX);
      });
    }
    if (sides !== "right") parts.scaleRows({ out: Y, X: Y, scale: by, rows: numRows, cols });
    if (bias) parts.affineCols({ out: Y, X: Y, scale: null, shift: bias, rows: numRows, cols });
    if (relu) parts.unary("relu", Y, Y);
  };
}

/** Convolves all rows, then gathers the requested ones. */
export function convolveRows(parts: Backend): Backend["convolveRows"] {
  return ({ out, rows, graph, X, cols, scale, finish }) =>
    borrow(parts, "f32", graph.A.numRows * cols, (all) => {
      parts.convolve({ out: all, graph, X, cols, scale, finish });
      parts.gatherRows(out, all, rows, cols);
    });
}

/** Does not merge edges: null tells callers to use the graph as it is. */
export function mergeEdges(): Backend["mergeEdges"] {
  return () => null;
}

export function degreeScale(parts: Backend): Backend["degreeScale"] {
  return (out, { A, B }, f) => {
    const degrees = parts.view(out, 0, A.numRows);
    parts.rowSums(degrees, A);
    if (B) parts.rowSums(degrees, B, true);
    parts.affine({ out: degrees, a: 1, A: degrees, c: 1 });
    parts.unary(f, degrees, degrees);
  };
}

/** dX is a convolution of dZ; dScale = (dots + row dots of dX and X) / scale. */
export function convolveGrad(parts: Backend): Backend["convolveGrad"] {
  return ({ grads: { dX, dScale }, graph, dZ, X, cols, scale: { by, dots, accumulate = false } }) => {
    const { numRows } = graph.A;
    const quotient = (dX: typeof X) => {
      parts.convolve({ out: dX, graph, X: dZ, cols, scale: { by, sides: "both" } });
      borrow(parts, "f32", numRows, (sums) => {
        parts.rowDots(sums, dX, X, numRows, cols);
        parts.affine({ out: sums, a: 1, A: sums, b: 1, B: dots });
        const to = parts.view(accumulate ? sums : dScale, 0, numRows);
        parts.binary("div", to, sums, by);
        const total = parts.view(dScale, 0, numRows);
        if (accumulate) parts.affine({ out: total, a: 1, A: total, b: 1, B: sums });
      });
    };
    if (dX) quotient(dX);
    else borrow(parts, "f32", numRows * cols, quotient);
  };
}
