import type { Backend } from "../../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, wholeNumber } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { addBias, type GraphView, matmul, SparseMatrix, type Tensor } from "../../tensor/index.ts";
import { type Aggregate, gcnAggregate } from "../layers/aggregate.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { fanInUniform } from "../layers/init.ts";
import type { Differentiable, Model, Pass } from "../model.ts";

export const sgcOptions = describeOptions({
  steps: wholeNumber({ from: 0, default: 2, help: "number of propagation steps K" }),
});

export type SgcConfig = OptionsOf<typeof sgcOptions>;

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

  /** Propagates features while the edges stay, and class scores, which are fewer, while they change. */
  forward(view: GraphView, { cache }: Pass): Tensor {
    const aggregate = gcnAggregate(view, "symmetric", cache);
    const { features } = view;
    const Z =
      cache.holds("edges") && !(features instanceof SparseMatrix)
        ? matmul(
            cache.once("edges", "Â^K X", () => this.diffuse(features, aggregate)),
            this.weight,
          )
        : this.diffuse(
            cache.once("weights", "XW", () => featureProduct(features, this.weight)),
            aggregate,
          );
    return addBias(Z, this.bias);
  }

  private diffuse(X: Tensor, aggregate: Aggregate): Tensor {
    let H = X;
    for (let step = 0; step < this.steps; step++) H = aggregate(H);
    return H;
  }

  dispose(): void {
    this.weight.dispose();
    this.bias.dispose();
  }
}
