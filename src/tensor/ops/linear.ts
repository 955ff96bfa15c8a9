import type { FinishBuffers } from "../../backend/backend.ts";
import { record } from "../tape.ts";
import { empty, expectShape, type Tensor } from "../tensor.ts";
import { finishedProduct } from "./matmul.ts";

/** What the result of a product goes through on its way out: a bias per column is added, then what is below 0 is cut off. */
export interface Finish {
  readonly bias: Tensor | null;
  readonly relu: boolean;
}

export const UNFINISHED: Finish = { bias: null, relu: false };

/** `Y = finish(X·W)`: one layer without neighbours, in a single pass over its result. */
export function linear(X: Tensor, W: Tensor, finish: Finish): Tensor {
  expectShape("linear", "X", X, ["n", "f"]);
  const [m, k] = X.shape as [number, number];
  expectShape("linear", "W", W, [k, "d"]);
  const n = W.shape[1];
  checkFinish("linear", finish, n);
  const { backend } = X;
  const Y = empty(backend, [m, n]);
  backend.matmul(Y.buffer, X.buffer, W.buffer, { m, n, k }, buffersOf(finish));
  return record(Y, [X, W, finish.bias], (dY, isFree) => {
    let made: Tensor | null = finish.relu ? null : dY;
    /** Gradient of X·W + b. */
    const toZ = () => {
      if (made) return made;
      made = isFree ? dY : empty(backend, Y.shape);
      backend.unaryGrad("relu", made.buffer, dY.buffer, Y.buffer, Y.buffer);
      return made;
    };
    return [
      (into, wish) => {
        const dX = into ?? empty(backend, X.shape);
        const accumulate = into !== null;
        if (finishedProduct(dX, made ?? dY, W, wish, made ? null : Y)) return dX;
        if (!made && backend.reluGradProduct) {
          backend.reluGradProduct(dX.buffer, dY.buffer, Y.buffer, W.buffer, { m, n, k, accumulate });
        } else {
          backend.matmul(dX.buffer, toZ().buffer, W.buffer, { m, n: k, k: n, transB: true, accumulate });
        }
        return dX;
      },
      (into) => {
        const dW = into ?? empty(backend, W.shape);
        const size = { m: k, n, k: m, transA: true, accumulate: into !== null };
        backend.matmul(dW.buffer, X.buffer, toZ().buffer, size);
        return dW;
      },
      () => columnSums(toZ()),
    ];
  });
}

export function checkFinish(op: string, { bias }: Finish, cols: number): void {
  if (bias) expectShape(op, "bias", bias, [cols]);
}

export function buffersOf({ bias, relu }: Finish): FinishBuffers {
  return { bias: bias?.buffer ?? null, relu };
}

/** Gradient of a bias. */
export function columnSums(dZ: Tensor): Tensor {
  const [rows, cols] = dZ.shape as [number, number];
  const out = empty(dZ.backend, [cols]);
  dZ.backend.colDots(out.buffer, dZ.buffer, null, rows, cols);
  return out;
}
