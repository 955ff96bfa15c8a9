import type { Graph } from "../../../graph/graph.ts";
import { degreesFor } from "../../../graph/normalise.ts";
import { gcnAggregate } from "../../../nn/layers/aggregate.ts";
import { allEdges, type Convolution, type ConvolutionStack } from "../../../nn/layers/convolution-stack.ts";
import { featureProduct } from "../../../nn/layers/feature-product.ts";
import type { Model } from "../../../nn/model.ts";
import {
  addBias,
  Constants,
  type DeviceFeatures,
  type GraphView,
  hostGraph,
  keep,
  relu,
  scaleCols,
  scope,
  type Tensor,
  type Values,
} from "../../../tensor/index.ts";
import { RowDots } from "./row-dots.ts";
import { RowWeights } from "./row-products.ts";

/** One convolution on the clean graph, on the host: `σ(Â·V ∘ scale + shift)` with `V = H·W`. */
export interface CleanLayer {
  readonly width: number;
  /** H·W, a row per node. */
  readonly V: Values;
  /** Dot products of rows of V with rows of other matrices. */
  readonly dots: RowDots;
  /** Σ_v Ã_uv c_v V_v for each node u: Â·V without the factor of the row. */
  readonly sums: Values;
  /** Null for the identity. */
  readonly weight: RowWeights | null;
  readonly scale: Values | null;
  readonly shift: Values | null;
  readonly relu: boolean;
}

/** A stack of convolutions with everything that it computes on the clean graph. */
export interface CleanStack {
  readonly graph: Graph;
  readonly normalisation: ConvolutionStack["normalisation"];
  /** Sums of the rows of Ã = A + I, or of its columns: what the normalisation divides by. */
  readonly degrees: Float64Array;
  readonly layers: readonly CleanLayer[];
  dispose(): void;
}

/** What a {@link CleanStack} is for: `gradients` keep a copy of its inputs on the device. */
export type StackUse = "gradients" | "logits";

/** Whether {@link cleanStack} can run the model. */
export function isStack(model: Model): boolean {
  return scope(() => stackOf(model) !== null);
}

/**
 * The convolutions of a model that is a stack of them and sees every edge, so that its rows depend on no other property
 * of the graph; else null.
 */
export function stackOf(model: Model): ConvolutionStack | null {
  const stack = model.convolutions?.() ?? null;
  return stack?.edges === allEdges ? stack : null;
}

/** Runs a stack on the clean graph once, for all nodes. Null if the model is no such stack. */
export async function cleanStack(model: Model, view: GraphView, use: StackUse): Promise<CleanStack | null> {
  const asked = scope(() => {
    const stack = stackOf(model);
    return stack && { normalisation: stack.normalisation, layers: askForLayers(stack, view, use) };
  }); // reads are launched before the scope frees the tensors
  if (!asked) return null;
  const graph = hostGraph(view, model.name);
  const { normalisation } = asked;
  const degrees = degreesFor(graph.adjacency, normalisation);
  const stack = { graph, normalisation, degrees: Float64Array.from(degrees, (degree) => degree + 1) };
  const layers = (await Promise.all(asked.layers)).map((layer) => ({ ...layer, sums: withoutRowFactor(stack, layer) }));
  const dispose = () => {
    for (const { dots } of layers) dots.dispose();
  };
  return { ...stack, layers, dispose };
}

/** The factor by which the normalisation multiplies the row of a node with this degree. */
export function rowFactor({ normalisation }: Pick<CleanStack, "normalisation">, degree: number): number {
  return normalisation === "row" ? 1 / degree : 1 / Math.sqrt(degree);
}

/** Â·V with the factor taken out of every row, in place. */
function withoutRowFactor(stack: Pick<CleanStack, "normalisation" | "degrees">, { sums, width }: CleanLayer): Values {
  for (const [node, degree] of stack.degrees.entries()) {
    const inverse = 1 / rowFactor(stack, degree);
    for (let c = node * width; c < (node + 1) * width; c++) sums[c] *= inverse;
  }
  return sums;
}

function askForLayers(
  { normalisation, layers }: ConvolutionStack,
  view: GraphView,
  use: StackUse,
): Promise<CleanLayer>[] {
  const P = gcnAggregate(view, normalisation, { constants: new Constants(), dropout: null });
  let H: DeviceFeatures = view.features;
  return layers.map((layer) => {
    const V = layer.weight ? featureProduct(H, layer.weight) : (H as Tensor);
    const PV = P(V);
    H = finished(PV, layer);
    return askFor(layer, use === "gradients" ? keep(V) : null, V, PV);
  });
}

function finished(PV: Tensor, { scale, shift, relu: cuts }: Convolution): Tensor {
  const scaled = scale ? scaleCols(PV, scale) : PV;
  const shifted = shift ? addBias(scaled, shift) : scaled;
  return cuts ? relu(shifted) : shifted;
}

/** Launches the reads of a layer. Its `sums` are Â·V, still with the factors of their rows. */
async function askFor(
  { weight, scale, shift, relu }: Convolution,
  kept: Tensor | null,
  V: Tensor,
  PV: Tensor,
): Promise<CleanLayer> {
  const reading = [V, PV, weight, scale, shift].map((tensor) => tensor?.read() ?? null);
  const width = PV.shape[1];
  const [v, pv, w, ...parameters] = await Promise.all(reading);
  const rowWeights = weight && w ? new RowWeights(weight, w) : null;
  const dots = new RowDots(v!, width, kept);
  return { width, relu, V: v!, dots, sums: pv!, weight: rowWeights, scale: parameters[0], shift: parameters[1] };
}
