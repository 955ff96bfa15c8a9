import type { Backend } from "../backend.ts";
import { finishGrad } from "./finish.ts";
import { matmul, reluGradProduct } from "./matmul.ts";

/** Two kernels in a row; the buffer of dZ first holds the gradient by Y. */
export const productFinishGrad: Backend["productFinishGrad"] = ({
  dZ,
  dots,
  dV,
  W,
  Y,
  size: { m, n, k },
  finish,
  above,
}) => {
  if (above) reluGradProduct(dZ, dV, above, W, { m, n, k });
  else matmul(dZ, dV, W, { m, n: k, k: n, transB: true });
  finishGrad({ dZ, dots, dY: dZ, Y, rows: m, cols: k, finish });
};
