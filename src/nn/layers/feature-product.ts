import { type DeviceFeatures, matmul, SparseMatrix, spmm, type Tensor } from "../../tensor/index.ts";

/** `X·W` for dense or sparse features. */
export function featureProduct(X: DeviceFeatures, W: Tensor): Tensor {
  return X instanceof SparseMatrix ? spmm(X, W) : matmul(X, W);
}
