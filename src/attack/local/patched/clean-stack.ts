import { columnDegrees, rowDegrees } from "../../../graph/degrees.ts";
import type { Graph } from "../../../graph/graph.ts";
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
  relu,
  scaleCols,
  scope,
  type Tensor,
  type Values,
} from "../../../tensor/index.ts";

/** One convolution on the clean graph, on the host: `σ(Â·V ∘ scale + shift)` with `V = H·W`. */
export interface CleanLayer {
  readonly width: number;
  /** H·W, a row per node. */
  readonly V: Values;
  /** Σ_v Ã_uv c_v V_v for each node u: Â·V without the factor of the row. */
  readonly sums: Values;
  /** [inputs, width], or null for the identity. */
  readonly weight: Values | null;
  readonly inputs: number;
  readonly scale: Values | null;
  readonly shift: Values | null;
  readonly relu: boolean;
}

/** A stack of convolutions with everything that it computes on the clean graph. */
export interface CleanStack {
  readonly graph: Graph;
  readonly normalisation: ConvolutionStack["normalisation"];
  /** Sum of the row of Ã = A + I, or of the column: what the normalisation divides by. */
  readonly degrees: Float64Array;
  readonly layers: readonly CleanLayer[];
}

/** Whether {@link cleanStack} can run the model. */
export function isStack(model: Model): boolean {
  return scope(() => stackOf(model) !== null);
}

/** The stack of a model that sees every edge: rows are patched by the edges of the graph. */
function stackOf(model: Model): ConvolutionStack | null {
  const stack = model.convolutions?.() ?? null;
  return stack?.edges === allEdges ? stack : null;
}

/** Runs a stack on the clean graph once, for all nodes. Null if the model is no such stack. */
export async function cleanStack(model: Model, view: GraphView): Promise<CleanStack | null> {
  const asked = scope(() => {
    const stack = stackOf(model);
    return stack && { normalisation: stack.normalisation, layers: askForLayers(stack, view) };
  }); // what was asked for is on its way when the scope frees the tensors
  if (!asked) return null;
  const graph = hostGraph(view, model.name);
  const { normalisation } = asked;
  const degrees = normalisation === "row" ? rowDegrees(graph.adjacency) : columnDegrees(graph.adjacency);
  const stack = { graph, normalisation, degrees: Float64Array.from(degrees, (degree) => degree + 1) };
  const layers = (await Promise.all(asked.layers)).map((layer) => ({ ...layer, sums: withoutRowFactor(stack, layer) }));
  return { ...stack, layers };
}

/** What row `node` of a sum over neighbours is multiplied by, if the node has this degree. */
export function rowFactor({ normalisation }: Pick<CleanStack, "normalisation">, degree: number): number {
  return normalisation === "row" ? 1 / degree : 1 / Math.sqrt(degree);
}

/** Â·V with the factor taken out of every row, in place. */
function withoutRowFactor(stack: Omit<CleanStack, "layers">, { sums, width }: CleanLayer): Values {
  for (const [node, degree] of stack.degrees.entries()) {
    const inverse = 1 / rowFactor(stack, degree);
    for (let c = node * width; c < (node + 1) * width; c++) sums[c] *= inverse;
  }
  return sums;
}

function askForLayers({ normalisation, layers }: ConvolutionStack, view: GraphView): Promise<CleanLayer>[] {
  const P = gcnAggregate(view, normalisation, { constants: new Constants(), dropout: null });
  let H: DeviceFeatures = view.features;
  return layers.map((layer) => {
    const V = layer.weight ? featureProduct(H, layer.weight) : (H as Tensor);
    const PV = P(V);
    H = finished(PV, layer);
    return askFor(layer, V, PV);
  });
}

function finished(PV: Tensor, { scale, shift, relu: cuts }: Convolution): Tensor {
  const scaled = scale ? scaleCols(PV, scale) : PV;
  const shifted = shift ? addBias(scaled, shift) : scaled;
  return cuts ? relu(shifted) : shifted;
}

/** The sums still have the factors of their rows. */
async function askFor({ weight, scale, shift, relu }: Convolution, V: Tensor, PV: Tensor): Promise<CleanLayer> {
  const reading = [V, PV, weight, scale, shift].map((tensor) => tensor?.read() ?? null);
  const width = PV.shape[1];
  const inputs = weight?.shape[0] ?? width;
  const [v, pv, ...parameters] = await Promise.all(reading);
  return { width, inputs, relu, V: v!, sums: pv!, weight: parameters[0], scale: parameters[1], shift: parameters[2] };
}
