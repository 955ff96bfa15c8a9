import type { SideBySideShape } from "../../../backend/backend.ts";
import {
  type Constants,
  type DeviceFeatures,
  type GraphView,
  matmul,
  relu,
  SparseMatrix,
  spmm,
  type Tensor,
} from "../../../tensor/index.ts";
import { gcnMatrix } from "../../layers/aggregate.ts";
import { constant } from "../../layers/init.ts";
import type { Gcn, GcnConfig } from "../../models/gcn.ts";
import { addBiasEach } from "./add-bias-each.ts";
import { dropoutEach } from "./dropout-each.ts";
import type { DropoutKeys } from "./dropout-keys.ts";
import { interleave, separate } from "./interleave.ts";
import { productEach } from "./product-each.ts";
import { selectModels } from "./select-models.ts";
import { spmmEach } from "./spmm-each.ts";

/** A parameter of all models: [rows, width] of each, side by side. */
export interface StackedParameter {
  readonly name: string;
  readonly tensor: Tensor;
  readonly width: number;
}

interface StackedLayer extends SideBySideShape {
  readonly weight: Tensor;
  readonly bias: Tensor | null;
}

/**
 * Several GCNs of one shape as one network: every matrix has the columns of the first model, then those of the second, and so on.
 * They read the same features and mix the same neighbours, so a layer of all of them takes as many kernels as a layer of one.
 */
export class StackedGcn {
  readonly models: number;
  readonly parameters: readonly StackedParameter[];
  private readonly like: Gcn;
  private readonly config: GcnConfig;
  private readonly layers: readonly StackedLayer[];

  /** With the weights that the models have now. */
  static async of(models: readonly Gcn[]): Promise<StackedGcn> {
    const stack = new StackedGcn(models[0], models.length);
    for (const { name, tensor, width } of stack.parameters) {
      const values = await Promise.all(models.map(({ parameters }) => parameters.get(name)!.read()));
      tensor.assign(interleave(values, width));
    }
    return stack;
  }

  /** Allocates room for the weights of `models` models with the shape of `like`. */
  private constructor(like: Gcn, models: number) {
    this.like = like;
    this.models = models;
    this.config = like.config as GcnConfig;
    this.parameters = Array.from(like.parameters, ([name, { backend, shape, size }]) => {
      // All models multiply the same features, so the columns of their first weights stand side by side. The other
      // parameters lie one after the other: each counts as a single row.
      const isFirst = name === "convs.0.weight";
      const stacked = isFirst ? [shape[0], models * shape[1]] : [models * shape[0], ...shape.slice(1)];
      return { name, width: isFirst ? shape[1] : size, tensor: constant(backend, stacked, 0) };
    });
    const named = new Map(this.parameters.map(({ name, tensor }) => [name, tensor]));
    this.layers = Array.from({ length: this.config.hidden.length + 1 }, (_, l) => ({
      models,
      width: like.parameters.get(`convs.${l}.weight`)!.shape[1],
      weight: named.get(`convs.${l}.weight`)!,
      bias: named.get(`convs.${l}.bias`) ?? null,
    }));
  }

  /** Some of the models, in this order, with the weights that they have now. */
  only(chosen: readonly number[]): StackedGcn {
    const some = new StackedGcn(this.like, chosen.length);
    for (const [i, { tensor, width }] of this.parameters.entries()) {
      selectModels(some.parameters[i].tensor, tensor, { models: this.models, width }, chosen);
    }
    return some;
  }

  /** A training pass: logits of all nodes, [numNodes, models·classes]. */
  forward(view: GraphView, constants: Constants, keys: DropoutKeys): Tensor {
    const P = gcnMatrix(view, this.config.normalisation, constants);
    const [first, ...others] = this.layers;
    let Z = withBias(firstProduct(view.features, P, first), first);
    let { width } = first;
    for (const layer of others) {
      const H = this.activate(Z, keys);
      Z = withBias(laterProduct(H, width, P, layer), layer);
      width = layer.width;
    }
    return Z;
  }

  get numHiddenLayers(): number {
    return this.layers.length - 1;
  }

  /** Assigns each model its part of `values`, one tensor per element of {@link parameters}; null skips a model. */
  async handOut(values: readonly Tensor[], models: readonly (Gcn | null)[]): Promise<void> {
    for (const [i, { name, width }] of this.parameters.entries()) {
      const parts = separate(await values[i].read(), this.models, width);
      for (const [g, model] of models.entries()) if (model) model.parameters.get(name)!.assign(parts[g]);
    }
  }

  dispose(): void {
    for (const { tensor } of this.parameters) tensor.dispose();
  }

  private activate(Z: Tensor, keys: DropoutKeys): Tensor {
    const { dropout: rate, activation } = this.config;
    const isRelu = activation === "relu";
    if (rate === 0) return isRelu ? relu(Z) : Z;
    return dropoutEach(Z, { rate, keys: keys.draw(), relu: isRelu });
  }
}

/** P·X·W. Dense features go through plain ops, which fusion can reorder so that the constant P·X is computed once. */
function firstProduct(X: DeviceFeatures, P: SparseMatrix, layer: StackedLayer): Tensor {
  const { weight } = layer;
  return X instanceof SparseMatrix ? spmmEach(P, spmmEach(X, weight, layer), layer) : spmm(P, matmul(X, weight));
}

/** P·H·W, where each model has `width` columns of H. P multiplies the narrower of H and H·W, as for one model. */
function laterProduct(H: Tensor, width: number, P: SparseMatrix, layer: StackedLayer): Tensor {
  const { models, weight } = layer;
  if (width < layer.width) return productEach(spmmEach(P, H, { models, width }), weight, models);
  return spmmEach(P, productEach(H, weight, models), layer);
}

function withBias(PXW: Tensor, layer: StackedLayer): Tensor {
  return layer.bias ? addBiasEach(PXW, layer.bias, layer) : PXW;
}
