import type { FinishBuffers } from "../../backend/backend.ts";
import type { IntTensor } from "../int-tensor.ts";
import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { type ConvolveOperands, convolutionGradients, edgesOf, reversedEdgesOf } from "../ops/convolve.ts";
import { columnSums } from "../ops/rows.ts";
import { type GradThunk, isTracked, spare } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";
import { mergedEdges } from "./merged-edges.ts";

/** The last steps of a product, applied before its result is written: add a bias per column, then relu. */
export interface Finish {
  readonly bias: Tensor | null;
  readonly relu: boolean;
}

export interface FinishedConvolution extends ConvolveOperands, Finish {
  /** Only the rows of these nodes, in this order; null for all. */
  readonly nodes: IntTensor | null;
}

export const FINISHED_CONVOLUTION = new OpKind<FinishedConvolution>("finishedConvolution");

/** `relu(convolve(…) + bias)` in one kernel, for all nodes or some. Bias and relu are each optional. */
export function finishedConvolution(operands: FinishedConvolution): Tensor {
  const { view, X, scale, bias, nodes } = operands;
  const wanted = { X: isTracked(X), scale: isTracked(scale) };
  return defer({
    kind: FINISHED_CONVOLUTION,
    operands,
    backend: view.backend,
    shape: nodes ? [nodes.length, X.shape[1]] : X.shape,
    inputs: [view.overlay?.signedWeights ?? null, scale, X, bias],
    forward: (Y) => convolveInto(Y, operands),
    gradients: (dY, Y) => {
      const { dZ, dots } = beforeFinish(operands, dY, Y);
      return finishedGradients(operands, dZ, dots, wanted);
    },
  });
}

export function convolveInto(Y: Tensor, { view, X, scale, sides, nodes, ...finish }: FinishedConvolution): void {
  const { backend } = view;
  const cols = X.shape[1];
  const edges = { ...edgesOf(view), merged: mergedEdges(view, scale, sides) };
  const by = { by: scale.buffer, sides };
  const end = finishBuffers(finish);
  if (nodes)
    backend.convolveRows({
      out: Y.buffer,
      rows: nodes.buffer,
      graph: edges,
      X: X.buffer,
      cols,
      scale: by,
      finish: end,
    });
  else backend.convolve({ out: Y.buffer, graph: edges, X: X.buffer, cols, scale: by, finish: end });
}

/** With Z the convolution before bias and relu: its gradient dZ, with a row for every node, and ⟨dZ_i, Z_i⟩. */
function beforeFinish({ X, nodes, ...finish }: FinishedConvolution, dY: Tensor, Y: Tensor) {
  const { backend } = Y;
  const [rows, cols] = X.shape;
  const end = finishBuffers(finish);
  const dots = empty(backend, [rows]);
  if (nodes) {
    const dZ = empty(backend, [rows, cols]);
    const places = nodes.placesIn(rows);
    backend.finishGradRows({ dZ: dZ.buffer, dots: dots.buffer, dY: dY.buffer, Y: Y.buffer, places, cols, finish: end });
    return { dZ, dots };
  }
  const dZ = finish.relu ? spare(dY) : dY;
  backend.finishGrad({ dZ: dZ.buffer, dots: dots.buffer, dY: dY.buffer, Y: Y.buffer, rows, cols, finish: end });
  return { dZ, dots };
}

/** Gradients with respect to pairs, scale, X and bias, in this order. */
export function finishedGradients(
  operands: FinishedConvolution,
  dZ: Tensor,
  dots: Tensor,
  wanted: { readonly X: boolean; readonly scale: boolean },
): GradThunk[] {
  const { view, scale, sides } = operands;
  const reversed = { ...reversedEdgesOf(view), merged: mergedEdges(view, scale, sides) };
  return [...convolutionGradients(operands, reversed, dZ, dots, wanted), () => columnSums(dZ)];
}

export function finishBuffers({ bias, relu }: Finish): FinishBuffers {
  return { bias: bias?.buffer ?? null, relu };
}
