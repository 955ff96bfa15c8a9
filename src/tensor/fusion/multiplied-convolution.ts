import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { columnSums } from "../ops/rows.ts";
import { register } from "../scope.ts";
import { type GradThunk, isTracked } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";
import { convolveInto, type FinishedConvolution, finishBuffers, finishedGradients } from "./finished-convolution.ts";
import type { FinishedProduct } from "./finished-product.ts";

const MULTIPLIED_CONVOLUTION = new OpKind("multipliedConvolution");

/** The weights that a finished convolution is multiplied by, and the bias and relu after that product. */
type Multiplication = Omit<FinishedProduct, "A">;

/**
 * A finished convolution times weights: `V = relu(H·B + bias)` with `H = relu(convolve(…) + b)`, where each bias and
 * relu is optional. One backward kernel goes through the product and through H's relu and bias, so that dH is never
 * stored.
 */
export function multipliedConvolution(convolution: FinishedConvolution, by: Multiplication): Tensor {
  const { view, X, scale } = convolution;
  const { backend } = view;
  const [m, k] = X.shape;
  const n = by.B.shape[1];
  const wanted = { X: isTracked(X), scale: isTracked(scale), weights: isTracked(by.B) || isTracked(by.bias) };
  let H: Tensor;
  return defer({
    kind: MULTIPLIED_CONVOLUTION,
    operands: {},
    backend,
    shape: [m, n],
    inputs: [view.overlay?.signedWeights ?? null, scale, X, convolution.bias, by.B, by.bias],
    forward: (V) => {
      H = empty(backend, X.shape);
      convolveInto(H, convolution);
      backend.matmul(V.buffer, H.buffer, by.B.buffer, { m, n, k }, finishBuffers(by));
    },
    gradients: (dV, V) => {
      const { dZ, dots } = beforeFinish(convolution, by, { H, V, dV });
      if (wanted.weights)
        register(H); // freed at the end of this step of the backward pass
      else H.dispose(); // an attack needs it no more: the gradients below reuse its memory
      return [...finishedGradients(convolution, dZ, dots, wanted), ...productGradients(by, { H, V, dV })];
    },
  });
}

interface Values {
  readonly H: Tensor;
  readonly V: Tensor;
  readonly dV: Tensor;
}

/** With Z the convolution before bias and relu: its gradient dZ, back through the product and H, and ⟨dZ_i, Z_i⟩. */
function beforeFinish(convolution: FinishedConvolution, { B, relu }: Multiplication, { H, V, dV }: Values) {
  const { backend } = H;
  const [m, k] = H.shape;
  const dZ = empty(backend, H.shape);
  const dots = empty(backend, [m]);
  backend.productFinishGrad({
    dZ: dZ.buffer,
    dots: dots.buffer,
    dV: dV.buffer,
    W: B.buffer,
    Y: H.buffer,
    size: { m, n: V.shape[1], k },
    finish: finishBuffers(convolution),
    above: relu ? V.buffer : null,
  });
  return { dZ, dots };
}

/** Gradients with respect to the weights B and to the bias added after the product. */
function productGradients({ B, relu }: Multiplication, { H, V, dV }: Values): GradThunk[] {
  const { backend } = H;
  const beforeRelu = () => {
    if (!relu) return dV;
    const masked = empty(backend, V.shape);
    backend.unaryGrad("relu", masked.buffer, dV.buffer, V.buffer, V.buffer);
    return masked;
  };
  const byWeights = () => {
    const [m, k] = H.shape;
    const dB = empty(backend, B.shape);
    backend.matmul(dB.buffer, H.buffer, beforeRelu().buffer, { m: k, n: V.shape[1], k: m, transA: true });
    return dB;
  };
  return [byWeights, () => columnSums(beforeRelu())];
}
