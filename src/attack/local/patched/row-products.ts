import type { Tensor, Values } from "../../../tensor/index.ts";
import { allocLike, dotRows } from "./row-arithmetic.ts";

/** Number of multiplications from which a product is worth sending to the device. */
export const WORTH_IT = 2 ** 21;

/**
 * A matrix of weights on the device and on the host. Products with few rows are computed on the host, larger ones on
 * the device.
 */
export class RowWeights {
  readonly inputs: number;
  readonly outputs: number;
  private readonly onDevice: Tensor;
  private readonly onHost: Values;
  private readonly worthIt: number;

  /** `onDevice` belongs to the caller and must live longer. */
  constructor(onDevice: Tensor, onHost: Values, worthIt = WORTH_IT) {
    [this.inputs, this.outputs] = onDevice.shape as [number, number];
    this.onDevice = onDevice;
    this.onHost = onHost;
    this.worthIt = worthIt;
  }

  /** X·W for rows X of length `inputs`. */
  async times(X: Values): Promise<Values> {
    const { inputs, outputs } = this;
    const rows = X.length / inputs;
    if (rows * inputs * outputs >= this.worthIt) return this.product(X, { m: rows, n: outputs, k: inputs });
    const Y = allocLike(X, rows * outputs);
    for (let r = 0; r < rows; r++) {
      for (let k = 0; k < inputs; k++) {
        const x = X[r * inputs + k];
        if (x === 0) continue; // relu leaves many zeros
        for (let c = 0; c < outputs; c++) Y[r * outputs + c] += x * this.onHost[k * outputs + c];
      }
    }
    return Y;
  }

  /** X·Wᵀ for rows X of length `outputs`. */
  async timesTransposed(X: Values): Promise<Values> {
    const { inputs, outputs } = this;
    const rows = X.length / outputs;
    if (rows * inputs * outputs >= this.worthIt) {
      return this.product(X, { m: rows, n: inputs, k: outputs, transB: true });
    }
    const Y = allocLike(X, rows * inputs);
    for (let r = 0; r < rows; r++) {
      for (let k = 0; k < inputs; k++) {
        Y[r * inputs + k] = dotRows(X, r * outputs, this.onHost, k * outputs, outputs);
      }
    }
    return Y;
  }

  private async product(X: Values, size: { m: number; n: number; k: number; transB?: boolean }): Promise<Values> {
    const { backend } = this.onDevice;
    const A = backend.upload(X);
    const out = backend.alloc("f32", size.m * size.n);
    backend.matmul(out, A, this.onDevice.buffer, size);
    const reading = backend.read(out);
    for (const buffer of [A, out]) backend.free(buffer); // the read is launched already
    return (await reading) as Values;
  }
}
