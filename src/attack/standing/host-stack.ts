import type { TrialStack } from "../../backend/backend.ts";
import type { ConvolutionStack } from "../../nn/layers/convolution-stack.ts";
import { featureProduct } from "../../nn/layers/feature-product.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, scope, type Tensor } from "../../tensor/index.ts";

/** A stack of convolutions in host memory, as trials take it, and the edges that it sees. */
export interface HostStack extends Pick<TrialStack, "normalisation" | "input" | "layers"> {
  readonly edges: ConvolutionStack["edges"];
}

/** Reads a model that is a stack of convolutions; null for any other. */
export async function readStack(model: Model, view: GraphView): Promise<HostStack | null> {
  const asked = scope(() => {
    const stack = model.convolutions?.() ?? null;
    return stack && { ...stack, parts: askForParts(stack, view) };
  }); // reads are launched before the scope frees the tensors
  if (!asked) return null;
  const { normalisation, edges, layers, parts } = asked;
  const [input, ...parameters] = await Promise.all(parts);
  if (!input) return null;
  let width = input.length / view.numNodes;
  const read = layers.map(({ relu }, l) => {
    const [scale, shift, weight = null] = parameters.slice(3 * l, 3 * l + 3);
    const layer = { width, scale, shift, relu, weight };
    width = weight ? weight.length / width : width;
    return layer;
  });
  return { normalisation, edges, input, layers: read };
}

/** X·W of the first layer; then, for each layer, scale, shift and the weight that leads to the next layer. */
function askForParts({ layers }: ConvolutionStack, { features }: GraphView): Promise<Float32Array | null>[] {
  const [first] = layers;
  if (!first?.weight) return [Promise.resolve(null)]; // nothing to start from
  const parameters = layers.flatMap(({ scale, shift }, l) => [scale, shift, layers[l + 1]?.weight ?? null]);
  return [featureProduct(features, first.weight), ...parameters].map(floats);
}

async function floats(tensor: Tensor | null): Promise<Float32Array | null> {
  return tensor && Float32Array.from(await tensor.read());
}
