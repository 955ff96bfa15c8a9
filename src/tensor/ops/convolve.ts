import type { Convolution } from "../../backend/backend.ts";
import type { GraphView } from "../graph-view.ts";
import type { IntTensor } from "../int-tensor.ts";
import type { MergedEdges } from "../merged-edges.ts";
import { gradientOf } from "../overlay.ts";
import { type FinishWish, type GradThunk, isTracked, record } from "../tape.ts";
import { empty, expectShape, type Shape, type Tensor } from "../tensor.ts";
import { gatherRows } from "./indexing.ts";
import { buffersOf, checkFinish, columnSums, type Finish, UNFINISHED } from "./linear.ts";

export interface ConvolveOptions {
  /** Only the rows of these, in this order: what a last layer is asked for. */
  readonly nodes?: IntTensor | null;
  /** The edges of this view with this scale, if they were merged and both sides are scaled. */
  readonly merged?: MergedEdges | null;
}

/**
 * `Y = finish(S·(A ⊕ p + I)·S·X)` with S the diagonal matrix of `scale`, on both sides or only the left: a graph convolution
 * with self loops, normalised by whatever `scale` is made of. The normalised matrix never exists.
 *
 * Differentiable in the weights of the overlay's pairs, in `X`, in `scale`, whose entries must not be 0, and in the bias.
 */
export function convolve(
  view: GraphView,
  X: Tensor,
  scale: Tensor,
  sides: "left" | "both",
  finish: Finish = UNFINISHED,
  { nodes = null, merged = null }: ConvolveOptions = {},
): Tensor {
  const { backend, adjacency, overlay } = view;
  expectShape("convolve", "X", X, [adjacency.numCols, "f"]);
  expectShape("convolve", "scale", scale, [adjacency.numRows]);
  const [rows, cols] = X.shape as [number, number];
  checkFinish("convolve", finish, cols);
  if (nodes && !backend.convolveRows) return gatherRows(convolve(view, X, scale, sides, finish, { merged }), nodes);
  const Y = empty(backend, nodes ? [nodes.length, cols] : X.shape);
  const sideBySide = { merged: merged?.buffer ?? null };
  const edges: Convolution = { A: adjacency.buffers, B: overlay?.active ?? null, ...sideBySide };
  const by = [{ by: scale.buffer, sides }, buffersOf(finish)] as const;
  if (nodes) backend.convolveRows!(Y.buffer, nodes.buffer, edges, X.buffer, cols, ...by);
  else backend.convolve(Y.buffer, edges, X.buffer, cols, ...by);

  const isWanted = isTracked(X);
  const wish: FinishWish = { Y, finish: buffersOf(finish), dots: null };
  const inputs = [overlay?.signedWeights ?? null, scale, X, finish.bias];
  const back = (dY: Tensor, isFree: boolean): GradThunk[] => {
    // of the sums before they are finished, and ⟨dZ_i, Z_i⟩, which is scale_i times what the left factor gets
    const { dZ, dots } = backToSums(dY, isFree, wish, nodes, rows);
    const reversed: Convolution = {
      A: adjacency.transposed.buffers,
      B: overlay?.activeTransposed ?? null,
      ...sideBySide,
    };
    let dX: Tensor | null = null;
    /** S·(A ⊕ p + I)ᵀ·S·dZ. */
    const toX = () => {
      if (dX) return dX;
      dX = empty(backend, X.shape);
      backend.convolve(dX.buffer, reversed, dZ.buffer, cols, {
        by: scale.buffer,
        sides: sides === "both" ? "both" : "right",
      });
      return dX;
    };
    return [
      // s_i s_j ⟨dZ_i, X_j⟩, and ⟨dZ_j, X_i⟩ on undirected graphs, per pair
      (into) => gradientOf(overlay!, into, (gradient) => gradient.addProduct(dZ, X, { by: scale.buffer, sides })),
      (into) => {
        if (sides === "both" && backend.convolveGrad) {
          const dScale = into ?? empty(backend, scale.shape);
          if (isWanted) dX = empty(backend, X.shape);
          const grads = { dX: dX?.buffer ?? null, dScale: dScale.buffer };
          const by = { by: scale.buffer, dots: dots.buffer, accumulate: into !== null };
          backend.convolveGrad(grads, reversed, dZ.buffer, X.buffer, cols, by);
          return dScale;
        }
        if (sides === "both") addRowDots(dots, toX(), X); // ⟨dX_i, X_i⟩ is scale_i times what the right factor gets
        backend.binary("div", dots.buffer, dots.buffer, scale.buffer);
        return dots;
      },
      () => toX(),
      () => columnSums(dZ),
    ];
  };
  return record(Y, inputs, back, wish);
}

/** Back through what the rows of a convolution finish with: of some nodes, to their places among all `numRows`. */
function backToSums(dY: Tensor, isFree: boolean, wish: FinishWish, nodes: IntTensor | null, numRows: number) {
  const { backend } = dY;
  const { Y, finish, dots: known } = wish;
  const [rows, cols] = Y.shape as [number, number];
  if (nodes && !known && backend.finishGradRows) {
    const dZ = empty(backend, [numRows, cols]);
    const dots = empty(backend, [numRows]);
    const grads = [dZ.buffer, dots.buffer, dY.buffer, Y.buffer] as const;
    backend.finishGradRows(...grads, nodes.placesIn(numRows), cols, finish);
    return { dZ, dots };
  }
  const dRows = finish.relu && !isFree && !known ? empty(backend, Y.shape) : dY;
  const dots = known ?? empty(backend, [rows]);
  if (!known) backend.finishGrad(dRows.buffer, dots.buffer, dY.buffer, Y.buffer, rows, cols, finish);
  if (!nodes) return { dZ: dRows, dots };
  return { dZ: scattered(dRows, nodes, [numRows, cols]), dots: scattered(dots, nodes, [numRows]) };
}

/** Rows of the gradient of some nodes in their places among all, where the others are 0. */
function scattered(X: Tensor, nodes: IntTensor, shape: Shape): Tensor {
  const out = empty(X.backend, shape);
  X.backend.spmm(out.buffer, nodes.placesIn(shape[0]), X.buffer, shape[1] ?? 1);
  return out;
}

/** x_i += ⟨A_i, B_i⟩. */
function addRowDots(x: Tensor, A: Tensor, B: Tensor): void {
  const [rows, cols] = A.shape as [number, number];
  const dots = empty(x.backend, x.shape);
  x.backend.rowDots(dots.buffer, A.buffer, B.buffer, rows, cols);
  x.backend.affine(x.buffer, 1, x.buffer, 1, dots.buffer, 0);
}
