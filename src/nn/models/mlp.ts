import type { Backend } from "../../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { addBias, type DeviceFeatures, dropout, type GraphView, relu, type Tensor } from "../../tensor/index.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { constant, glorot } from "../layers/init.ts";
import { collect, type Parameters } from "../layers/parameters.ts";
import type { Differentiable, Model, Pass } from "../model.ts";
import { dropoutOption, hiddenOption } from "./options.ts";

export const mlpOptions = describeOptions({ hidden: hiddenOption, dropout: dropoutOption });

/** Hyperparameters of {@link Mlp}; `rgnn train --model mlp --set list` explains each. */
export type MlpConfig = OptionsOf<typeof mlpOptions>;

/** Defaults of {@link MlpConfig}. Replace some of them with `{ ...mlpDefaults, … }`. */
export const mlpDefaults: MlpConfig = defaultsOf(mlpOptions);

/** A multi-layer perceptron on the features alone: a baseline that no attack on edges can lower. */
export class Mlp implements Model {
  readonly name = "mlp";
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor> = new Map();
  readonly differentiable: Differentiable = { edges: false };
  private readonly layers: readonly Linear[];
  private readonly dropout: number;

  constructor(backend: Backend, sizes: { features: number; classes: number }, options: MlpConfig, rng: Rng) {
    checkOptions("mlp", mlpOptions, options);
    this.config = { ...options };
    this.dropout = options.dropout;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    this.layers = widths.slice(1).map((width, l) => new Linear(backend, widths[l], width, rng));
    this.parameters = collect({ layers: this.layers });
  }

  forward(view: GraphView, pass: Pass): Tensor {
    let H = this.layers[0].forward(view.features);
    for (const layer of this.layers.slice(1)) {
      const active = relu(H);
      H = layer.forward(pass.dropout ? dropout(active, this.dropout, pass.dropout.nextKey()) : active);
    }
    return H;
  }

  dispose(): void {
    for (const tensor of this.parameters.values()) tensor.dispose();
  }
}

class Linear {
  private readonly weight: Tensor;
  private readonly bias: Tensor;

  constructor(backend: Backend, inFeatures: number, outFeatures: number, rng: Rng) {
    this.weight = glorot(backend, inFeatures, outFeatures, rng);
    this.bias = constant(backend, [outFeatures], 0);
  }

  forward(X: DeviceFeatures): Tensor {
    return addBias(featureProduct(X, this.weight), this.bias);
  }

  named(): Parameters {
    return { weight: this.weight, bias: this.bias };
  }
}
