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
import {
  type DeviceFeatures,
  dropout,
  type Finish,
  type GraphView,
  gatherRows,
  type IntTensor,
  linear,
  matmul,
  reluDropout,
  SparseMatrix,
  type Tensor,
  UNFINISHED,
} from "../../tensor/index.ts";
import type { ForwardCache } from "../forward-cache.ts";
import { type Aggregate, aggregateAndFinish, gcnAggregate } from "../layers/aggregate.ts";
import { BatchNorm } from "../layers/batch-norm.ts";
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

export type GcnConfig = OptionsOf<typeof gcnOptions>;

export const gcnDefaults: GcnConfig = defaultsOf(gcnOptions);

/** The surrogate of FGSM and PGD: no biases, plain linear layers. (Its dense adjacency is never needed.) */
export const denseGcnOptions = withDefaults(gcnOptions, { bias: false, init: "fan-in" });

export const denseGcnDefaults: GcnConfig = defaultsOf(denseGcnOptions);

/** The surrogate of Nettack. */
export const linearGcnOptions = withDefaults(gcnOptions, { activation: "identity" });

export const linearGcnDefaults: GcnConfig = defaultsOf(linearGcnOptions);

/** Chooses how a stack of layers mixes neighbours in one pass; the same function then serves every layer. */
export type Diffusion = (view: GraphView, pass: Pass) => Aggregate;

/** Graph convolutional network of Kipf and Welling (2017). GDC is the same stack with another diffusion. */
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
    this.options = options;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    const { isLinear = true } = stack;
    this.layers = widths.slice(1).map((width, l) => new GcnConv(backend, widths[l], width, options, isLinear, rng));
    this.norms = options.batchNorm ? options.hidden.map((width) => new BatchNorm(backend, width)) : [];
    this.parameters = collect({ convs: this.layers, norms: this.norms });
    this.statistics = new Map(this.norms.flatMap((norm, l) => norm.statistics(`norms.${l}`)));
  }

  /** What the first layer hands to the second. */
  hidden(view: GraphView, pass: Pass): Tensor {
    const aggregate = this.diffusion(view, pass);
    return this.finished(0, pass, (layer, terms) => layer.first(view.features, aggregate, terms, pass.cache));
  }

  forward(view: GraphView, pass: Pass): Tensor {
    return this.forwardAt(view, pass, null);
  }

  /** The last layer mixes the neighbours of the nodes that are asked for alone. */
  forwardAt(view: GraphView, pass: Pass, nodes: IntTensor | null): Tensor {
    const aggregate = this.diffusion(view, pass);
    const { cache } = pass;
    const numLayers = this.layers.length;
    let H = this.finished(0, pass, (layer, terms) => layer.first(view.features, aggregate, terms, cache));
    for (let l = 1; l < numLayers; l++) {
      const X = H;
      const wanted = l === numLayers - 1 ? nodes : null;
      H = this.finished(l, pass, (layer, terms) => layer.forward(X, aggregate, terms, wanted));
    }
    return nodes && numLayers === 1 ? gatherRows(H, nodes) : H;
  }

  /**
   * Layer `l` and what follows a hidden one: BN, activation, dropout. The product finishes with the activation where neither
   * of the others is left: the BN of an evaluation is part of weight and bias.
   */
  private finished(l: number, pass: Pass, multiply: (layer: GcnConv, terms: Terms) => Tensor): Tensor {
    const layer = this.layers[l];
    const norm = this.norms[l];
    const { dropout: rng } = pass;
    const { weight, bias } = layer;
    if (l === this.layers.length - 1) return multiply(layer, { weight, bias, relu: false });
    const isRelu = this.options.activation === "relu";
    if (!rng && norm) return multiply(layer, { ...layer.folded(norm, l, pass.cache), relu: isRelu });
    if (!rng || (!norm && this.options.dropout === 0)) return multiply(layer, { weight, bias, relu: isRelu });
    const Y = multiply(layer, { weight, bias, relu: false });
    return (isRelu ? reluDropout : dropout)(norm?.forward(Y, pass) ?? Y, this.options.dropout, rng.nextKey());
  }

  dispose(): void {
    for (const tensor of [...this.parameters.values(), ...this.statistics.values()]) tensor.dispose();
  }
}

/** What tells a GCN from its relatives. */
export interface GcnStack {
  readonly name: string;
  /** All that the model was built with. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly differentiable: Differentiable;
  readonly diffusion: Diffusion;
  /** False if mixing neighbours and multiplying by weights may not change places. Default true: a weighted sum. */
  readonly isLinear?: boolean;
}

function gcnStack(config: GcnConfig): GcnStack {
  const diffusion: Diffusion = (view, { cache }) => gcnAggregate(view, config.normalisation, cache);
  return { name: "gcn", config: { ...config }, differentiable: { edges: true }, diffusion };
}

/** What a layer multiplies by, and what it finishes with. */
type Terms = Finish & { readonly weight: Tensor };

/** One graph convolution, `Y = P·X·W + b`, in the order that moves fewer numbers through the sparse step. */
class GcnConv {
  readonly weight: Tensor;
  readonly bias: Tensor | null;
  private readonly isLinear: boolean;

  constructor(
    backend: Backend,
    inFeatures: number,
    outFeatures: number,
    { bias, init }: GcnConfig,
    isLinear: boolean,
    rng: Rng,
  ) {
    this.isLinear = isLinear;
    this.weight =
      init === "glorot"
        ? glorot(backend, inFeatures, outFeatures, rng)
        : fanInUniform(backend, [inFeatures, outFeatures], inFeatures, rng);
    this.bias = bias ? constant(backend, [outFeatures], 0) : null;
  }

  forward(X: Tensor, aggregate: Aggregate, { weight, ...finish }: Terms, nodes: IntTensor | null): Tensor {
    const [inFeatures, outFeatures] = weight.shape as [number, number];
    const aggregateFirst = this.isLinear && inFeatures < outFeatures;
    if (aggregateFirst) return linear(aggregateAndFinish(aggregate, X, UNFINISHED, nodes), weight, finish);
    return aggregateAndFinish(aggregate, matmul(X, weight), finish, nodes);
  }

  /** The layer that sees the features: `PX` is constant while the edges are, `XW` while the weights are. */
  first(X: DeviceFeatures, aggregate: Aggregate, { weight, ...finish }: Terms, cache: ForwardCache): Tensor {
    const [inFeatures, outFeatures] = weight.shape as [number, number];
    const sparse = X instanceof SparseMatrix;
    if (this.isLinear && !sparse && (inFeatures < outFeatures || cache.holds("edges"))) {
      const PX = cache.once("edges", "PX", () => aggregate(X));
      return linear(PX, weight, finish);
    }
    const XW = cache.once("weights", "XW", () => featureProduct(X, weight));
    return aggregateAndFinish(aggregate, XW, finish);
  }

  /** Weight and bias with the BN behind the layer in them, made once while weights are fixed. */
  folded(norm: BatchNorm, l: number, cache: ForwardCache): Pick<Terms, "weight" | "bias"> {
    return {
      weight: cache.once("weights", `weight ${l} with norm`, () => norm.foldInto(this).weight),
      bias: cache.once("weights", `bias ${l} with norm`, () => norm.foldInto(this).bias),
    };
  }

  named(): Parameters {
    return this.bias ? { weight: this.weight, bias: this.bias } : { weight: this.weight };
  }
}
