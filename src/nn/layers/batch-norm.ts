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
      const scale = this.evaluationScale();
      return addBias(scaleCols(X, scale), sub(this.beta, mul(this.runningMean, scale)));
    }
    const { Y, mean, variance } = batchNorm(X, this.gamma, this.beta, EPSILON);
    const rows = X.shape[0];
    remember(this.runningMean, mean, 1);
    remember(this.runningVariance, variance, rows / Math.max(1, rows - 1)); // the unbiased variance is what is kept
    return Y;
  }

  private evaluationScale(): Tensor {
    return mul(this.gamma, rsqrt(affine(this.runningVariance, 1, EPSILON)));
  }

  /** What evaluation multiplies and adds per column, on the host, for inputs that still lack their bias. */
  async asAffine(bias: ArrayLike<number> | null): Promise<{ scale: Float32Array; shift: Float32Array }> {
    const [gamma, beta, mean, variance] = await Promise.all(
      [this.gamma, this.beta, this.runningMean, this.runningVariance].map((tensor) => tensor.read()),
    );
    const scale = Float32Array.from(gamma, (g, c) => g / Math.sqrt(variance[c] + EPSILON));
    return { scale, shift: Float32Array.from(beta, (b, c) => b + ((bias?.[c] ?? 0) - mean[c]) * scale[c]) };
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
