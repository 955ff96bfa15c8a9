import type { Backend } from "../../backend/backend.ts";
import {
  boolean,
  checkOptions,
  choice,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  withDefaults,
} from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import type { Graph } from "../../graph/graph.ts";
import { addBias, type DeviceFeatures, dropout, type GraphView, relu, type Tensor } from "../../tensor/index.ts";
import { type Aggregate, gcnAggregate } from "../layers/aggregate.ts";
import { BatchNorm } from "../layers/batch-norm.ts";
import { allEdges, type ConvolutionStack, type SeenEdges } from "../layers/convolution-stack.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { constant, fanInUniform, glorot } from "../layers/init.ts";
import { collect, type Parameters } from "../layers/parameters.ts";
import type { Differentiable, Model, Pass } from "../model.ts";
import { batchNormOption, dropoutOption, hiddenOption } from "./options.ts";

export const gcnOptions = describeOptions({
  hidden: hiddenOption,
  dropout: dropoutOption,
  batchNorm: batchNormOption,
  normalisation: choice({ of: ["symmetric", "row"], default: "symmetric", help: "how the adjacency is normalised" }),
  activation: choice({
    of: ["relu", "identity"],
    default: "relu",
    help: "what follows a hidden layer; identity makes the linear GCN, the surrogate of Nettack",
  }),
  bias: boolean({ default: true, help: "a bias in every layer" }),
  init: choice({
    of: ["glorot", "fan-in"],
    default: "glorot",
    help: "how weights start; fan-in is the custom of plain linear layers, which the dense surrogate is made of",
  }),
});

/** Hyperparameters of {@link Gcn}; `rgnn train --model gcn --set list` explains each. */
export type GcnConfig = OptionsOf<typeof gcnOptions>;

/** Defaults of {@link GcnConfig}. Replace some of them with `{ ...gcnDefaults, … }`. */
export const gcnDefaults: GcnConfig = defaultsOf(gcnOptions);

/** The surrogate of FGSM and PGD: no biases, plain linear layers. (Its dense adjacency is never needed.) */
export const denseGcnOptions = withDefaults(gcnOptions, { bias: false, init: "fan-in" });

/**
 * Defaults of the surrogate of FGSM and PGD: a {@link Gcn} without biases, whose weights start as those of plain linear layers.
 */
export const denseGcnDefaults: GcnConfig = defaultsOf(denseGcnOptions);

/** The surrogate of Nettack. */
export const linearGcnOptions = withDefaults(gcnOptions, { activation: "identity" });

/** Defaults of the surrogate of Nettack: a {@link Gcn} without an activation. */
export const linearGcnDefaults: GcnConfig = defaultsOf(linearGcnOptions);

/** Returns the function by which all layers mix neighbours in one pass. */
export type Diffusion = (view: GraphView, pass: Pass) => Aggregate;

/** What distinguishes the variants of a GCN. */
export interface GcnStack {
  readonly name: string;
  /** All that the model was built with. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly differentiable: Differentiable;
  readonly diffusion: Diffusion;
  /** The edges of the normalised adjacency, if the diffusion is only a product with it; null for another diffusion. */
  readonly edges: ((graph: Graph) => SeenEdges) | null;
}

function gcnStack(config: GcnConfig): GcnStack {
  return {
    name: "gcn",
    config: { ...config },
    differentiable: { edges: true },
    diffusion: (view, pass) => gcnAggregate(view, config.normalisation, pass),
    edges: allEdges,
  };
}

/**
 * Graph convolutional network of Kipf and Welling (2017): `H' = σ(P·H·W + b)` in every layer, the last one without σ. GDC is
 * the same stack with another P.
 */
export class Gcn implements Model {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor>;
  readonly differentiable: Differentiable;
  private readonly layers: readonly GcnConv[];
  private readonly norms: readonly BatchNorm[];
  private readonly options: GcnConfig;
  private readonly diffusion: Diffusion;
  private readonly edges: GcnStack["edges"];

  constructor(
    backend: Backend,
    sizes: { features: number; classes: number },
    options: GcnConfig,
    rng: Rng,
    stack: GcnStack = gcnStack(options),
  ) {
    this.name = stack.name;
    checkOptions(stack.name, gcnOptions, options);
    this.config = stack.config;
    this.differentiable = stack.differentiable;
    this.diffusion = stack.diffusion;
    this.edges = stack.edges;
    this.options = options;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    this.layers = widths.slice(1).map((width, l) => new GcnConv(backend, [widths[l], width], options, rng));
    this.norms = options.batchNorm ? options.hidden.map((width) => new BatchNorm(backend, width)) : [];
    this.parameters = collect({ convs: this.layers, norms: this.norms });
    this.statistics = new Map(this.norms.flatMap((norm, l) => norm.statistics(`norms.${l}`)));
  }

  forward(view: GraphView, pass: Pass): Tensor {
    const P = this.diffusion(view, pass);
    const last = this.layers.length - 1;
    let H = view.features;
    for (let l = 0; l < last; l++) H = this.hiddenLayer(l, H, P, pass);
    return this.layers[last].forward(H, P);
  }

  convolutions(): ConvolutionStack | null {
    if (!this.edges) return null;
    const last = this.layers.length - 1;
    const layers = this.layers.map(({ weight, bias }, l) => {
      const relu = l < last && this.options.activation === "relu";
      return { weight, relu, ...(this.norms[l]?.affine(bias) ?? { scale: null, shift: bias }) };
    });
    return { normalisation: this.options.normalisation, edges: this.edges, layers };
  }

  /** The output of the first hidden layer. @internal */
  hidden(view: GraphView, pass: Pass): Tensor {
    return this.hiddenLayer(0, view.features, this.diffusion(view, pass), pass);
  }

  /** σ(P·H·W + b), with batch norm before σ and dropout after it. */
  private hiddenLayer(l: number, H: DeviceFeatures, P: Aggregate, pass: Pass): Tensor {
    const Z = this.layers[l].forward(H, P);
    const normed = this.norms[l]?.forward(Z, pass) ?? Z;
    const active = this.options.activation === "relu" ? relu(normed) : normed;
    return pass.dropout ? dropout(active, this.options.dropout, pass.dropout.nextKey()) : active;
  }

  dispose(): void {
    for (const tensor of [...this.parameters.values(), ...this.statistics.values()]) tensor.dispose();
  }
}

/** One graph convolution, `P·X·W + b`. */
class GcnConv {
  readonly weight: Tensor;
  readonly bias: Tensor | null;

  constructor(backend: Backend, [inFeatures, outFeatures]: [number, number], { bias, init }: GcnConfig, rng: Rng) {
    this.weight =
      init === "glorot"
        ? glorot(backend, inFeatures, outFeatures, rng)
        : fanInUniform(backend, [inFeatures, outFeatures], inFeatures, rng);
    this.bias = bias ? constant(backend, [outFeatures], 0) : null;
  }

  forward(X: DeviceFeatures, P: Aggregate): Tensor {
    const PXW = P(featureProduct(X, this.weight));
    return this.bias ? addBias(PXW, this.bias) : PXW;
  }

  named(): Parameters {
    return this.bias ? { weight: this.weight, bias: this.bias } : { weight: this.weight };
  }
}
