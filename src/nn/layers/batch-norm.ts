import type { Backend } from "../../backend/backend.ts";
import { addBias, affine, batchNorm, mul, rsqrt, scaleCols, sub, type Tensor } from "../../tensor/index.ts";
import type { Pass } from "../model.ts";
import { constant } from "./init.ts";
import type { Parameters } from "./parameters.ts";

const EPSILON = 1e-5;
const MOMENTUM = 0.1;

/** Batch normalisation over nodes; evaluation uses running averages, so that it is a scale and a shift per feature. */
export class BatchNorm {
  private readonly gamma: Tensor;
  private readonly beta: Tensor;
  private readonly runningMean: Tensor;
  private readonly runningVariance: Tensor;

  constructor(backend: Backend, width: number) {
    this.gamma = constant(backend, [width], 1);
    this.beta = constant(backend, [width], 0);
    this.runningMean = constant(backend, [width], 0);
    this.runningVariance = constant(backend, [width], 1);
  }

  forward(X: Tensor, pass: Pass): Tensor {
    if (!pass.dropout) {
      const { scale, shift } = this.affine(null);
      return addBias(scaleCols(X, scale), shift);
    }
    const { Y, mean, variance } = batchNorm(X, this.gamma, this.beta, EPSILON);
    const rows = X.shape[0];
    remember(this.runningMean, mean, 1);
    remember(this.runningVariance, variance, rows / Math.max(1, rows - 1)); // the average is of the unbiased variance
    return Y;
  }

  /** Scale and shift per feature with which, in evaluation, batch norm of `X + bias` is `X ∘ scale + shift`. */
  affine(bias: Tensor | null): { readonly scale: Tensor; readonly shift: Tensor } {
    const scale = mul(this.gamma, rsqrt(affine(this.runningVariance, 1, EPSILON)));
    const centre = bias ? sub(this.runningMean, bias) : this.runningMean;
    return { scale, shift: sub(this.beta, mul(centre, scale)) };
  }

  named(): Parameters {
    return { weight: this.gamma, bias: this.beta };
  }

  statistics(prefix: string): [string, Tensor][] {
    return [
      [`${prefix}.running_mean`, this.runningMean],
      [`${prefix}.running_var`, this.runningVariance],
    ];
  }
}

/** running ← (1 − momentum)·running + momentum·factor·batch, in place. */
function remember(running: Tensor, batch: Tensor, factor: number): void {
  const { backend } = running;
  backend.affine({
    out: running.buffer,
    a: 1 - MOMENTUM,
    A: running.buffer,
    b: MOMENTUM * factor,
    B: batch.buffer,
  });
}
