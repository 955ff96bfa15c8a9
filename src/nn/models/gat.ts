import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { addSelfLoops } from "../../graph/self-loops.ts";
import {
  add,
  addBias,
  columnValues,
  type DeviceFeatures,
  dropout,
  type EntryPattern,
  edgeSoftmax,
  type GraphView,
  hostGraph,
  leakyRelu,
  matmul,
  relu,
  rowValues,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../../tensor/index.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { constant, glorot } from "../layers/init.ts";
import { collect, type Parameters } from "../layers/parameters.ts";
import type { Differentiable, Model, Pass } from "../model.ts";
import { dropoutOption, hiddenOption } from "./options.ts";

export const gatOptions = describeOptions({ hidden: hiddenOption, dropout: dropoutOption });

/** Hyperparameters of {@link Gat}; `rgnn train --model gat --set list` explains each. */
export type GatConfig = OptionsOf<typeof gatOptions>;

/** Defaults of {@link GatConfig}. Replace some of them with `{ ...gatDefaults, … }`. */
export const gatDefaults: GatConfig = defaultsOf(gatOptions);

/** The nodes that each node may attend to, including itself, and how attention mixes their features. */
export interface Neighbourhood {
  readonly pattern: EntryPattern;
  mix(attention: Tensor, h: Tensor): Tensor;
}

/** What distinguishes the variants of a graph attention network: name, options, and which nodes a node attends to. */
export interface GatStack {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  neighbourhood(view: GraphView, pass: Pass): Neighbourhood;
}

/**
 * Graph attention network of Veličković et al. (2018), one head. Attention is a softmax over all stored neighbours
 * whatever their weight, so even candidates at weight 0 would change it: the model is evaluated on discrete graphs
 * only.
 */
export class Gat implements Model {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor> = new Map();
  readonly differentiable: Differentiable = { edges: false };
  private readonly layers: readonly GatConv[];
  private readonly dropout: number;
  private readonly stack: GatStack;

  constructor(
    backend: Backend,
    sizes: { features: number; classes: number },
    options: GatConfig,
    rng: Rng,
    stack: GatStack = gatStack(options),
  ) {
    checkOptions(stack.name, gatOptions, options);
    this.name = stack.name;
    this.config = stack.config;
    this.stack = stack;
    this.dropout = options.dropout;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    this.layers = widths.slice(1).map((width, l) => new GatConv(backend, widths[l], width, rng));
    this.parameters = collect({ convs: this.layers });
  }

  forward(view: GraphView, pass: Pass): Tensor {
    check(
      !view.overlay,
      () => `${this.name} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`,
    );
    const neighbourhood = this.stack.neighbourhood(view, pass);
    const { dropout: rng } = pass;
    let H = this.layers[0].forward(view.features, neighbourhood);
    for (const layer of this.layers.slice(1)) {
      const active = relu(H);
      H = layer.forward(rng ? dropout(active, this.dropout, rng.nextKey()) : active, neighbourhood);
    }
    return H;
  }

  dispose(): void {
    for (const tensor of this.parameters.values()) tensor.dispose();
  }
}

function gatStack(config: GatConfig): GatStack {
  return {
    name: "gat",
    config: { ...config },
    neighbourhood: (view, { constants }) => {
      const withLoops = () => SparseMatrix.upload(view.backend, addSelfLoops(hostGraph(view, "gat").adjacency));
      return entriesOf(constants.of(view, "A + I", withLoops));
    },
  };
}

/** The neighbourhood in which a node attends to all entries of its row. */
export function entriesOf(S: SparseMatrix): Neighbourhood {
  return { pattern: S, mix: (attention, h) => spmm(S.withValues(attention), h) };
}

/** `Y_i = Σ_j α_ij h_j + b` with `α_i = softmax_j LeakyReLU(a_s·h_j + a_t·h_i)` and `h = XW`. */
class GatConv {
  private readonly weight: Tensor;
  private readonly sourceAttention: Tensor;
  private readonly targetAttention: Tensor;
  private readonly bias: Tensor;

  constructor(backend: Backend, inFeatures: number, outFeatures: number, rng: Rng) {
    this.weight = glorot(backend, inFeatures, outFeatures, rng);
    this.sourceAttention = glorot(backend, outFeatures, 1, rng);
    this.targetAttention = glorot(backend, outFeatures, 1, rng);
    this.bias = constant(backend, [outFeatures], 0);
  }

  forward(X: DeviceFeatures, { pattern, mix }: Neighbourhood): Tensor {
    const h = featureProduct(X, this.weight);
    const fromNeighbours = columnValues(pattern, matmul(h, this.sourceAttention));
    const fromSelf = rowValues(pattern, matmul(h, this.targetAttention));
    const attention = edgeSoftmax(pattern, leakyRelu(add(fromNeighbours, fromSelf)));
    return addBias(mix(attention, h), this.bias);
  }

  named(): Parameters {
    return { weight: this.weight, att_src: this.sourceAttention, att_dst: this.targetAttention, bias: this.bias };
  }
}
