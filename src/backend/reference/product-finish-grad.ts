import type { Backend } from "../backend.ts";
import { finishGrad } from "./finish.ts";
import { matmul, reluGradProduct } from "./matmul.ts";

/** One after the other, the gradient of Y in the place of dZ. */
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
