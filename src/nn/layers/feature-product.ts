import { type DeviceFeatures, matmul, SparseMatrix, scope, spmm, type Tensor } from "../../tensor/index.ts";

/** `X·W` for dense or sparse features. */
export function featureProduct(X: DeviceFeatures, W: Tensor): Tensor {
  return X instanceof SparseMatrix ? spmm(X, W) : matmul(X, W);
}

/** The same on the host. */
export async function readProduct(X: DeviceFeatures, W: Tensor): Promise<Float32Array> {
  const product = scope(() => featureProduct(X, W));
  const values = Float32Array.from(await product.read());
  product.dispose();
  return values;
}
