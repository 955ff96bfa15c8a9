import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import type { Rng } from "../core/rng.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import {
  add,
  addBias,
  columnValues,
  type DeviceFeatures,
  dropout,
  edgeSoftmax,
  type GraphView,
  leakyRelu,
  matmul,
  relu,
  rowValues,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../tensor/index.ts";
import { checkLayers } from "./check-config.ts";
import { featureProduct } from "./feature-product.ts";
import { constant, glorot } from "./init.ts";
import type { Differentiable, Model, Pass } from "./model.ts";
import { collect, type Parameters } from "./parameters.ts";

export interface GatConfig {
  readonly hidden: readonly number[];
  readonly dropout: number;
}

export const gatDefaults: GatConfig = { hidden: [64], dropout: 0.5 };

/**
 * Graph attention network of Veličković et al. (2018), one head. Attention is a softmax over all stored neighbours
 * whatever their weight, so a block of candidates at weight 0 would change it: it is evaluated on discrete graphs only.
 */
export class Gat implements Model {
  readonly name = "gat";
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor> = new Map();
  readonly differentiable: Differentiable = { edges: false };
  private readonly layers: readonly GatConv[];
  private readonly dropout: number;

  constructor(backend: Backend, sizes: { features: number; classes: number }, options: GatConfig, rng: Rng) {
    checkLayers("gat", options);
    this.config = { ...options };
    this.dropout = options.dropout;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    this.layers = widths.slice(1).map((width, l) => new GatConv(backend, widths[l]!, width, rng));
    this.parameters = collect({ convs: this.layers });
  }

  forward(view: GraphView, { cache, dropout: rng }: Pass): Tensor {
    check(!view.overlay, () => "gat cannot be differentiated by edges; attack a surrogate such as gcn and transfer");
    const S = cache.once("edges", "A + I", () => SparseMatrix.upload(view.backend, addSelfLoops(view.graph.adjacency)));
    let H = this.layers[0]!.forward(view.features, S);
    for (const layer of this.layers.slice(1)) {
      const active = relu(H);
      H = layer.forward(rng ? dropout(active, this.dropout, rng.nextKey()) : active, S);
    }
    return H;
  }

  dispose(): void {
    for (const tensor of this.parameters.values()) tensor.dispose();
  }
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

  forward(X: DeviceFeatures, S: SparseMatrix): Tensor {
    const h = featureProduct(X, this.weight);
    const fromNeighbours = columnValues(S, matmul(h, this.sourceAttention));
    const fromSelf = rowValues(S, matmul(h, this.targetAttention));
    const attention = edgeSoftmax(S, leakyRelu(add(fromNeighbours, fromSelf)));
    return addBias(spmm(S.withValues(attention), h), this.bias);
  }

  named(): Parameters {
    return { weight: this.weight, att_src: this.sourceAttention, att_dst: this.targetAttention, bias: this.bias };
  }
}
