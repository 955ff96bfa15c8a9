import { defer } from "../op.ts";
import { OpKind } from "../op-kind.ts";
import { columnSums } from "../ops/rows.ts";
import { spare } from "../tape.ts";
import { empty, type Tensor } from "../tensor.ts";
import { type Finish, finishBuffers } from "./finished-convolution.ts";

export interface FinishedProduct extends Finish {
  readonly A: Tensor;
  readonly B: Tensor;
}

export const FINISHED_PRODUCT = new OpKind<FinishedProduct>("finishedProduct");

/** `relu(A·B + bias)` in one kernel. Bias and relu are each optional. */
export function finishedProduct(operands: FinishedProduct): Tensor {
  const { A, B, bias, relu } = operands;
  const [m, k] = A.shape;
  const n = B.shape[1];
  const { backend } = A;
  return defer({
    kind: FINISHED_PRODUCT,
    operands,
    backend,
    shape: [m, n],
    inputs: [A, B, bias],
    forward: (Y) => backend.matmul(Y.buffer, A.buffer, B.buffer, { m, n, k }, finishBuffers(operands)),
    gradients: (dY, Y) => {
      let dZ: Tensor | null = relu ? null : dY;
      /** The gradient of A·B + bias, computed once. */
      const beforeRelu = () => {
        if (dZ) return dZ;
        dZ = spare(dY);
        backend.unaryGrad("relu", dZ.buffer, dY.buffer, Y.buffer, Y.buffer);
        return dZ;
      };
      return [
        () => {
          const dA = empty(backend, A.shape);
          if (dZ) backend.matmul(dA.buffer, dZ.buffer, B.buffer, { m, n: k, k: n, transB: true });
          else backend.reluGradProduct(dA.buffer, dY.buffer, Y.buffer, B.buffer, { m, n, k });
          return dA;
        },
        () => {
          const dB = empty(backend, B.shape);
          backend.matmul(dB.buffer, A.buffer, beforeRelu().buffer, { m: k, n, k: m, transA: true });
          return dB;
        },
        () => columnSums(beforeRelu()),
      ];
    },
  });
}
