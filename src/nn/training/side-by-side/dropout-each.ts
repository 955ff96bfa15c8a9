import type { KeyPerModel } from "../../../backend/backend.ts";
import { sideBySide } from "../../../backend/compose/side-by-side.ts";
import { defer, empty, OpKind, type Tensor } from "../../../tensor/index.ts";

const DROPOUT_EACH = new OpKind("dropoutEach");

/** Dropout of models side by side. */
export interface DropoutEach {
  readonly rate: number;
  readonly keys: KeyPerModel;
  /** Whether relu is applied first. */
  readonly relu: boolean;
}

/** Dropout of each model's columns of `X`, [rows, models·width], with the mask that the model would draw alone. */
export function dropoutEach(X: Tensor, { rate, keys, relu }: DropoutEach): Tensor {
  const { backend } = X;
  const [rows, cols] = X.shape;
  const width = cols / keys.keys.length;
  const kernels = sideBySide(backend);
  return defer({
    kind: DROPOUT_EACH,
    operands: {},
    backend,
    shape: X.shape,
    inputs: [X],
    forward: (Y) => kernels.dropoutEach({ out: Y.buffer, X: X.buffer, rows, width, rate, keys, relu }),
    gradients: (dY, Y) => [
      () => {
        const dX = empty(backend, X.shape);
        if (relu) backend.reluDropoutGrad(dX.buffer, dY.buffer, Y.buffer, rate);
        else kernels.dropoutEach({ out: dX.buffer, X: dY.buffer, rows, width, rate, keys, relu: false });
        return dX;
      },
    ],
  });
}
