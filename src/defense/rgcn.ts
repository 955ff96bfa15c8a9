import type { Backend } from "../backend/backend.ts";
import {
  checkOptions,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  wholeNumber,
} from "../core/options/index.ts";
import type { Rng } from "../core/rng.ts";
import type { Csr } from "../graph/csr.ts";
import { normalisedAdjacency } from "../graph/normalise.ts";
import { featureProduct } from "../nn/layers/feature-product.ts";
import { glorot } from "../nn/layers/init.ts";
import type { Differentiable, Model, Pass } from "../nn/model.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import { dropoutOption } from "../nn/models/options.ts";
import {
  add,
  affine,
  type DeviceFeatures,
  dropout,
  elu,
  exp,
  filled,
  type GraphView,
  hostGraph,
  matmul,
  mul,
  relu,
  SparseMatrix,
  spmm,
  sqrt,
  type Tensor,
  tensor,
} from "../tensor/index.ts";
import { refuseOverlay } from "./discrete-only.ts";

export const rgcnOptions = describeOptions({
  hidden: wholeNumber({ from: 1, default: 64, help: "width of the hidden layer" }),
  dropout: { ...dropoutOption, default: 0.6 },
  gamma: realNumber({ from: 0, default: 1, help: "how fast attention falls with the variance" }),
});

/** Hyperparameters of {@link Rgcn}; `rgnn train --model rgcn --set list` explains each. */
export type RgcnConfig = OptionsOf<typeof rgcnOptions>;

/** Defaults of {@link RgcnConfig}. Replace some of them with `{ ...rgcnDefaults, … }`. */
export const rgcnDefaults: RgcnConfig = defaultsOf(rgcnOptions);

/** Means and variances of hidden representations, before neighbours are mixed. */
export interface Gaussians {
  readonly mean: Tensor;
  readonly variance: Tensor;
}

/**
 * Robust GCN (Zhu et al. 2019): hidden representations are normal distributions, and neighbours of high variance count
 * less. The output is a sample, drawn anew in every pass, in evaluation too: predictions are random, from a generator
 * that the model was seeded with.
 */
export class Rgcn implements Model {
  readonly name = "rgcn";
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor> = new Map();
  readonly differentiable: Differentiable = { edges: false };
  /** The weights of the first layer, which training keeps small. @internal */
  readonly firstWeights: readonly Tensor[];
  private readonly lastWeights: readonly Tensor[];
  private readonly options: RgcnConfig;
  private readonly noise: Rng;

  constructor(backend: Backend, sizes: Sizes, options: RgcnConfig, rng: Rng) {
    checkOptions("rgcn", rgcnOptions, options);
    this.config = { ...options };
    this.options = options;
    const layer = (inFeatures: number, outFeatures: number) =>
      ["mean", "variance"].map(() => glorot(backend, inFeatures, outFeatures, rng));
    this.firstWeights = layer(sizes.features, options.hidden);
    this.lastWeights = layer(options.hidden, sizes.classes);
    this.noise = rng.fork();
    this.parameters = new Map(
      [this.firstWeights, this.lastWeights].flatMap(([mean, variance], l) => [
        [`convs.${l}.mean`, mean!] as const,
        [`convs.${l}.variance`, variance!] as const,
      ]),
    );
  }

  forward(view: GraphView, pass: Pass): Tensor {
    return this.sample(view, pass).logits;
  }

  /** Logits, and the distributions of the first layer, which training keeps near the standard normal. @internal */
  sample(view: GraphView, pass: Pass): { logits: Tensor; first: Gaussians } {
    refuseOverlay("rgcn", view);
    const { adjacency } = hostGraph(view, "rgcn");
    const upload = (A: Csr) => SparseMatrix.upload(view.backend, A);
    const forMeans = pass.constants.of(view, "Â", () => upload(normalisedAdjacency(adjacency, "symmetric")));
    const forVariances = pass.constants.of(view, "D⁻¹ÃD⁻¹", () => upload(squared(adjacency)));
    const X = dropFeatures(view.features, this.options.dropout, pass);
    const first = gaussians(featureProduct(X, this.firstWeights[0]), featureProduct(X, this.firstWeights[1]));
    const attention = this.attention(first);
    const means = this.drop(spmm(forMeans, mul(first.mean, attention)), pass);
    const variances = this.drop(spmm(forVariances, mul(first.variance, mul(attention, attention))), pass);
    const last = gaussians(matmul(means, this.lastWeights[0]), matmul(variances, this.lastWeights[1]));
    const mean = spmm(forMeans, mul(last.mean, this.attention(last)));
    const spread = sqrt(affine(last.variance, 1, 1e-8)); // the node's own variance, not mixed with its neighbours'
    return { logits: add(mean, mul(this.standardNormal(view.backend, mean.shape), spread)), first };
  }

  /** exp(−γσ). */
  private attention({ variance }: Gaussians): Tensor {
    return exp(affine(variance, -this.options.gamma));
  }

  private drop(X: Tensor, pass: Pass): Tensor {
    return pass.dropout ? dropout(X, this.options.dropout, pass.dropout.nextKey()) : X;
  }

  private standardNormal(backend: Backend, shape: readonly number[]): Tensor {
    const values = new Float32Array(shape.reduce((size, n) => size * n, 1));
    return tensor(
      backend,
      values.map(() => this.noise.normal()),
      shape,
    );
  }

  dispose(): void {
    for (const tensor of this.parameters.values()) tensor.dispose();
  }
}

function gaussians(mean: Tensor, variance: Tensor): Gaussians {
  return { mean: elu(mean), variance: relu(variance) };
}

/** D⁻¹(A + I)D⁻¹: the entries of the symmetric normalisation, squared. */
function squared(A: Csr): Csr {
  const normalised = normalisedAdjacency(A, "symmetric");
  return { ...normalised, values: normalised.values!.map((value) => value * value) };
}

/** Dropout of features; of their stored entries if they are sparse. */
function dropFeatures(X: DeviceFeatures, rate: number, pass: Pass): DeviceFeatures {
  if (!pass.dropout) return X;
  const key = pass.dropout.nextKey();
  if (!(X instanceof SparseMatrix)) return dropout(X, rate, key);
  return X.withValues(dropout(X.values ?? filled(X.backend, [X.numEntries], 1), rate, key));
}
