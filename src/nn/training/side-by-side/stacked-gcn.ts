import { addBias, type Constants, type GraphView, keep, relu, type Tensor, tensor } from "../../../tensor/index.ts";
import { gcnAggregate } from "../../layers/aggregate.ts";
import { featureProduct } from "../../layers/feature-product.ts";
import type { Gcn, GcnConfig } from "../../models/gcn.ts";
import { dropoutEach } from "./dropout-each.ts";
import type { DropoutKeys } from "./dropout-keys.ts";
import { interleave, separate } from "./interleave.ts";
import { productEach } from "./product-each.ts";

/** A parameter of all models: [rows, width] of each, side by side. */
export interface StackedParameter {
  readonly name: string;
  readonly tensor: Tensor;
  readonly width: number;
}

interface StackedLayer {
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
  private readonly config: GcnConfig;
  private readonly layers: readonly StackedLayer[];

  /** With the weights that the models have now. */
  static async of(models: readonly Gcn[]): Promise<StackedGcn> {
    const { backend, shape } = models[0].parameters.get("convs.0.weight")!;
    const parameters: StackedParameter[] = [];
    for (const [name, first] of models[0].parameters) {
      const values = await Promise.all(models.map(({ parameters }) => parameters.get(name)!.read()));
      // All models multiply the same features, so the columns of their first weights stand side by side. Everything else is one row.
      const isFirst = name === "convs.0.weight";
      const width = isFirst ? shape[1] : first.size;
      const stacked = isFirst
        ? [shape[0], models.length * width]
        : [models.length * first.shape[0], ...first.shape.slice(1)];
      parameters.push({ name, width, tensor: keep(tensor(backend, interleave(values, width), stacked)) });
    }
    return new StackedGcn(models, parameters);
  }

  private constructor(models: readonly Gcn[], parameters: readonly StackedParameter[]) {
    this.models = models.length;
    this.parameters = parameters;
    this.config = models[0].config as GcnConfig;
    const named = new Map(parameters.map(({ name, tensor }) => [name, tensor]));
    this.layers = Array.from({ length: this.config.hidden.length + 1 }, (_, l) => ({
      weight: named.get(`convs.${l}.weight`)!,
      bias: named.get(`convs.${l}.bias`) ?? null,
    }));
  }

  /** A training pass: logits of all nodes, [numNodes, models·classes]. */
  forward(view: GraphView, constants: Constants, keys: DropoutKeys): Tensor {
    const P = gcnAggregate(view, this.config.normalisation, { constants, dropout: null });
    const [first, ...others] = this.layers;
    let Z = withBias(P(featureProduct(view.features, first.weight)), first);
    for (const layer of others) {
      Z = withBias(P(productEach(this.activate(Z, keys), layer.weight, this.models)), layer);
    }
    return Z;
  }

  /** Hands each model its part of these values, one tensor for each of {@link parameters}. */
  async handOut(values: readonly Tensor[], models: readonly Gcn[]): Promise<void> {
    for (const [i, { name, width }] of this.parameters.entries()) {
      const parts = separate(await values[i].read(), this.models, width);
      for (const [g, model] of models.entries()) model.parameters.get(name)!.assign(parts[g]);
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

function withBias(PXW: Tensor, { bias }: StackedLayer): Tensor {
  return bias ? addBias(PXW, bias) : PXW;
}
