import type { Convolution } from "../../backend/backend.ts";
import type { GraphView } from "../graph-view.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { gradientByPairs } from "../overlay.ts";
import { type GradThunk, isTracked } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";

/** The arguments of {@link convolve}. */
export interface ConvolveOperands {
  readonly view: GraphView;
  readonly X: Tensor;
  readonly scale: Tensor;
  readonly sides: "left" | "both";
}

export const CONVOLVE = new OpKind<ConvolveOperands>("convolve", {
  mixesRows: { rows: ({ X }) => X, on: ({ view, scale, sides }, X) => convolve(view, X, scale, sides) },
});

/**
 * `Y = S·(A ⊕ p + I)·S·X` with S the diagonal matrix of `scale`, on both sides or only the left: a graph convolution
 * with self loops, which `scale` normalises. The normalised matrix is never stored.
 *
 * Differentiable in the weights of the overlay's pairs, in `X`, and in `scale`, whose entries must not be 0.
 */
export function convolve(view: GraphView, X: Tensor, scale: Tensor, sides: "left" | "both"): Tensor {
  const { backend, adjacency, overlay } = view;
  expectShape("convolve", "X", X, [adjacency.numCols, "f"]);
  expectShape("convolve", "scale", scale, [adjacency.numRows]);
  const [rows, cols] = X.shape;
  const operands = { view, X, scale, sides };
  const wanted = { X: isTracked(X), scale: isTracked(scale) };
  return defer({
    kind: CONVOLVE,
    operands,
    backend,
    shape: X.shape,
    inputs: [overlay?.signedWeights ?? null, scale, X],
    forward: (Y) =>
      backend.convolve({ out: Y.buffer, graph: edgesOf(view), X: X.buffer, cols, scale: { by: scale.buffer, sides } }),
    gradients: (dY, Y) => {
      const dots = empty(backend, [rows]); // ⟨dY_i, Y_i⟩ = scale_i · (gradient with respect to the left factor i)
      if (wanted.scale) backend.rowDots(dots.buffer, dY.buffer, Y.buffer, rows, cols);
      return convolutionGradients(operands, reversedEdgesOf(view), dY, dots, wanted);
    },
  });
}

/** A ⊕ p in the form that kernels take. */
export function edgesOf({ adjacency, overlay }: GraphView): Convolution {
  return { A: adjacency.buffers, B: overlay?.active ?? null };
}

/** The transpose of A ⊕ p. */
export function reversedEdgesOf({ adjacency, overlay }: GraphView): Convolution {
  return { A: adjacency.transposed.buffers, B: overlay?.activeTransposed ?? null };
}

/**
 * The gradients of a convolution Z with respect to pairs, scale and X, given dZ and ⟨dZ_i, Z_i⟩ for each row. One pass
 * over the edges computes those of scale and X.
 */
export function convolutionGradients(
  { view, X, scale, sides }: ConvolveOperands,
  reversed: Convolution,
  dZ: Tensor,
  dots: Tensor,
  wanted: { readonly X: boolean; readonly scale: boolean },
): GradThunk[] {
  const { backend, overlay } = view;
  const cols = X.shape[1];
  const by = scale.buffer;
  let passed: { readonly dX: Tensor | null; readonly dScale: Tensor } | null = null;
  /**
   * dX = S·(A ⊕ p + I)ᵀ·S·dZ and dScale_i = (⟨dZ_i, Z_i⟩ + ⟨dX_i, X_i⟩) / scale_i. If `sides` is "left", dX has no S in
   * front and dScale no ⟨dX_i, X_i⟩.
   */
  const passBack = () => {
    const dX = wanted.X ? empty(backend, X.shape) : null;
    const dScale = empty(backend, scale.shape);
    if (wanted.scale && sides === "both") {
      const grads = { dX: dX?.buffer ?? null, dScale: dScale.buffer };
      backend.convolveGrad({
        grads,
        graph: reversed,
        dZ: dZ.buffer,
        X: X.buffer,
        cols,
        scale: { by, dots: dots.buffer },
      });
    } else {
      if (dX) {
        const right = sides === "both" ? "both" : "right";
        backend.convolve({ out: dX.buffer, graph: reversed, X: dZ.buffer, cols, scale: { by, sides: right } });
      }
      if (wanted.scale) backend.binary("div", dScale.buffer, dots.buffer, by);
    }
    return { dX, dScale };
  };
  const once = () => (passed ??= passBack());
  return [
    // s_i s_j ⟨dZ_i, X_j⟩, and ⟨dZ_j, X_i⟩ on undirected graphs, per pair
    () => gradientByPairs(overlay!, (pairs) => pairs.addProduct(dZ, X, { by, sides })),
    () => once().dScale,
    () => once().dX!,
  ];
}
