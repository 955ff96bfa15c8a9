import type { Backend } from "../../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, wholeNumber } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { addBias, type GraphView, type Tensor } from "../../tensor/index.ts";
import { gcnAggregate } from "../layers/aggregate.ts";
import { allEdges, type ConvolutionStack } from "../layers/convolution-stack.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { fanInUniform } from "../layers/init.ts";
import type { Differentiable, Model, Pass } from "../model.ts";

export const sgcOptions = describeOptions({
  steps: wholeNumber({ from: 0, default: 2, help: "number of propagation steps K" }),
});

/** Hyperparameters of {@link Sgc}; `rgnn train --model sgc --set list` explains each. */
export type SgcConfig = OptionsOf<typeof sgcOptions>;

/** Defaults of {@link SgcConfig}. Replace some of them with `{ ...sgcDefaults, … }`. */
export const sgcDefaults: SgcConfig = defaultsOf(sgcOptions);

/** Simplified graph convolution of Wu et al. (2019): `Z = Â^K X W + b`. */
export class Sgc implements Model {
  readonly name = "sgc";
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor> = new Map();
  readonly differentiable: Differentiable = { edges: true };
  private readonly weight: Tensor;
  private readonly bias: Tensor;
  private readonly steps: number;

  constructor(backend: Backend, sizes: { features: number; classes: number }, options: SgcConfig, rng: Rng) {
    checkOptions("sgc", sgcOptions, options);
    this.config = { ...options };
    this.steps = options.steps;
    this.weight = fanInUniform(backend, [sizes.features, sizes.classes], sizes.features, rng);
    this.bias = fanInUniform(backend, [sizes.classes], sizes.features, rng);
    this.parameters = new Map([
      ["weight", this.weight],
      ["bias", this.bias],
    ]);
  }

  forward(view: GraphView, pass: Pass): Tensor {
    const P = gcnAggregate(view, "symmetric", pass);
    let H = featureProduct(view.features, this.weight);
    for (let step = 0; step < this.steps; step++) H = P(H);
    return addBias(H, this.bias);
  }

  convolutions(): ConvolutionStack | null {
    if (this.steps === 0) return null;
    const layers = Array.from({ length: this.steps }, (_, step) => ({
      weight: step === 0 ? this.weight : null,
      scale: null,
      shift: step === this.steps - 1 ? this.bias : null,
      relu: false,
    }));
    return { normalisation: "symmetric", edges: allEdges, layers };
  }

  dispose(): void {
    this.weight.dispose();
    this.bias.dispose();
  }
}
