import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { columnSums } from "../ops/rows.ts";
import { register } from "../scope.ts";
import { isTracked } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";
import { convolveInto, type FinishedConvolution, finishBuffers, finishedGradients } from "./finished-convolution.ts";
import type { FinishedProduct } from "./finished-product.ts";

const MULTIPLIED_CONVOLUTION = new OpKind("multipliedConvolution");

/**
 * A finished convolution times weights, `relu(H·B + bias)` with `H = relu(convolve(…) + b)`, or either without its bias or relu.
 * The way back goes through the product and the end of the convolution in one pass, so that dH never exists.
 */
export function multipliedConvolution(
  convolution: FinishedConvolution,
  { B, bias, relu }: Omit<FinishedProduct, "A">,
): Tensor {
  const { view, X, scale } = convolution;
  const { backend } = view;
  const [m, k] = X.shape;
  const n = B.shape[1];
  const wanted = { X: isTracked(X), scale: isTracked(scale) };
  let H: Tensor | null = null;
  return defer({
    kind: MULTIPLIED_CONVOLUTION,
    operands: {},
    backend,
    shape: [m, n],
    inputs: [view.overlay?.signedWeights ?? null, scale, X, convolution.bias, B, bias],
    forward: (V) => {
      H = empty(backend, X.shape);
      convolveInto(H, convolution);
      backend.matmul(V.buffer, H.buffer, B.buffer, { m, n, k }, finishBuffers({ bias, relu }));
    },
    gradients: (dV, V) => {
      const hidden = H!;
      register(hidden); // nobody needs it behind this step
      const beforeRelu = () => {
        if (!relu) return dV;
        const masked = empty(backend, V.shape);
        backend.unaryGrad("relu", masked.buffer, dV.buffer, V.buffer, V.buffer);
        return masked;
      };
      const dB = () => {
        const out = empty(backend, B.shape);
        backend.matmul(out.buffer, hidden.buffer, beforeRelu().buffer, { m: k, n, k: m, transA: true });
        return out;
      };
      const dZ = empty(backend, hidden.shape);
      const dots = empty(backend, [m]);
      const above = relu ? V.buffer : null;
      const end = finishBuffers(convolution);
      const size = { m, n, k };
      backend.productFinishGrad({
        dZ: dZ.buffer,
        dots: dots.buffer,
        dV: dV.buffer,
        W: B.buffer,
        Y: hidden.buffer,
        size,
        finish: end,
        above,
      });
      return [...finishedGradients(convolution, dZ, dots, wanted), dB, () => columnSums(beforeRelu())];
    },
  });
}
