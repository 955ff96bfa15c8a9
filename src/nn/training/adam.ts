import type { Tensor } from "../../tensor/index.ts";
import { constant } from "../layers/init.ts";

export interface AdamConfig {
  readonly learningRate: number;
  /** L2 decay added to the gradient (not decoupled), for biases too. */
  readonly weightDecay: number;
}

/** Adam of Kingma and Ba (2015) with bias correction; β = (0.9, 0.999), ε = 1e-8. */
export class Adam {
  /** Updates so far. */
  step = 0;
  private readonly states: readonly { parameter: Tensor; m: Tensor; v: Tensor }[];
  private readonly config: AdamConfig;

  constructor(parameters: Iterable<Tensor>, config: AdamConfig) {
    this.config = config;
    this.states = Array.from(parameters, (parameter) => ({
      parameter,
      m: constant(parameter.backend, parameter.shape, 0),
      v: constant(parameter.backend, parameter.shape, 0),
    }));
  }

  /** Moves every parameter against its gradient; `gradients` come in the order of the parameters. */
  update(gradients: readonly Tensor[]): void {
    this.step++;
    const options = { step: this.step, ...this.config, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    for (const [i, { parameter, m, v }] of this.states.entries()) {
      parameter.backend.adam(parameter.buffer, gradients[i].buffer, m.buffer, v.buffer, options);
    }
  }

  /** Its moments, by name. These, {@link step}, the parameters and their gradients determine the next update. */
  tensors(): Map<string, Tensor> {
    return new Map(
      this.states.flatMap(({ m, v }, i) => [
        [`adam.${i}.m`, m],
        [`adam.${i}.v`, v],
      ]),
    );
  }

  dispose(): void {
    for (const { m, v } of this.states) {
      m.dispose();
      v.dispose();
    }
  }
}
