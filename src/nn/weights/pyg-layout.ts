import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import type { Model } from "../model.ts";
import { findLayers, type PygKind, type PygLayers } from "./pyg-layers.ts";
import { recipes } from "./pyg-recipes.ts";
import { convertStack, transpose } from "./pyg-stack.ts";
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from "./safetensors.ts";
import {
  assignState,
  configMetadata,
  hasConfig,
  hostCopy,
  parseConfig,
  stateOf,
  type WeightsConfig,
} from "./weights.ts";

/** Options that a state dict does not contain. An option that does not concern the model in the file is an error. */
export interface PygOptions {
  /** Number of propagation steps of an `SGConv`, its K. Default 2, or what {@link encodePyg} stored. */
  readonly steps?: number;
  /** Activation between `GCNConv`s. Default relu, or what {@link encodePyg} stored. */
  readonly activation?: "relu" | "identity";
}

/** A model read from a state dict of PyTorch Geometric. */
export interface PygModel extends WeightsConfig {
  readonly name: PygKind;
  /** What was found, and what was assumed because a state dict does not say it; one line. */
  readonly found: string;
  /** Under our names and in our layout. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** The model with these weights; the caller disposes it. */
  build(backend: Backend): Model;
}

/**
 * Reads a model that was trained with PyTorch Geometric: the state dict of a stack of `GCNConv`, `GATConv` (one head)
 * or of one `SGConv`, with batch norm between layers or without, saved as safetensors. Kind and widths follow from the
 * names and shapes. The logits are those of Python on undirected graphs; on directed ones `GCNConv` counts the edges
 * that arrive at a node, our symmetric normalisation those that leave it.
 *
 * @example
 * const model = decodePyg(bytesSource(bytes, "gcn.safetensors")).build(backend);
 */
export function decodePyg(source: ByteSource, options: PygOptions = {}): PygModel {
  const file = source.name;
  const { tensors, metadata } = decodeSafetensors(source);
  const layers = findLayers(tensors, file);
  const kind = kindOf(layers, options);
  checkOptions(kind, options, file);
  const stack = convertStack(layers, file);
  const stored = hasConfig(metadata) ? parseConfig(metadata, file).config : {};
  const recipe = recipes[kind](stack, { ...stored, ...options }, file);
  const { widths, batchNorm } = stack;
  const sizes = { features: widths[0], classes: widths.at(-1)! };
  return {
    name: kind,
    kind,
    config: recipe.config,
    sizes,
    tensors: recipe.tensors,
    found: `${kind}, widths ${widths.join(" → ")}${batchNorm ? ", batch norm" : ""}${recipe.remark}`,
    build(backend) {
      const model = recipe.make(backend, sizes);
      try {
        assignState(model, recipe.tensors, file);
      } catch (error) {
        model.dispose();
        throw error;
      }
      return model;
    },
  };
}

/** A single layer without a bias may be a `GCNConv` or an `SGConv`: it is an `SGConv` if `steps` is given. */
function kindOf({ convs }: PygLayers, { steps }: PygOptions): PygKind {
  const { kind, leaves } = convs[0];
  return convs.length === 1 && leaves.size === 1 && steps !== undefined ? "sgc" : (kind as PygKind);
}

function checkOptions(kind: PygKind, { steps, activation }: PygOptions, file: string): void {
  check(steps === undefined || kind === "sgc", () => `${file}: holds a ${kind}, to which steps means nothing`);
  check(
    activation === undefined || kind === "gcn",
    () => `${file}: holds a ${kind}, to which activation means nothing`,
  );
}

/**
 * The safetensors file of a gcn, gat or sgc that PyTorch Geometric can load: `GCN` (with `norm="batch_norm"` where the model has
 * it) and `GAT` of `torch_geometric.nn.models`, or a single `SGConv`, take the file with
 * `load_state_dict(safetensors.torch.load_file(file))`.
 */
export async function encodePyg(model: Model): Promise<Uint8Array> {
  const { name, config } = model;
  check(
    Object.hasOwn(recipes, name),
    () => `${name} has no layout in PyTorch Geometric; known are ${Object.keys(recipes).join(", ")}`,
  );
  check(
    config["normalisation"] !== "row",
    () => `${name} with row normalisation cannot be exported: GCNConv normalises symmetrically`,
  );
  const tensors = new Map<string, StoredTensor>();
  for (const [ours, tensor] of stateOf(model)) {
    const [theirs, stored] = toPyg(ours, await hostCopy(tensor));
    tensors.set(theirs, stored);
    // A strict load asks for this counter, which only matters to averages without a momentum.
    if (theirs.endsWith(".running_mean")) tensors.set(theirs.replace("running_mean", "num_batches_tracked"), noBatches);
  }
  return encodeSafetensors({
    tensors,
    metadata: { format: "pt", ...configMetadata(model, { sizes: sizesOf(tensors) }) },
  });
}

const noBatches: StoredTensor = { dtype: "I64", shape: [], data: new Float32Array(1) };

/** One tensor of ours under the name and in the layout of PyTorch Geometric. */
function toPyg(name: string, tensor: StoredTensor): [string, StoredTensor] {
  if (name.startsWith("norms.")) return [name.replace(/^(norms\.\d+)\./, "$1.module."), tensor];
  if (name === "bias") return ["lin.bias", tensor]; // of an sgc
  if (/\.att_(src|dst)$/.test(name)) return [name, { ...tensor, shape: [1, 1, tensor.shape[0]] }];
  if (/(^|\.)weight$/.test(name)) return [name.replace(/weight$/, "lin.weight"), transpose(tensor)];
  return [name, tensor];
}

function sizesOf(tensors: ReadonlyMap<string, StoredTensor>): WeightsConfig["sizes"] {
  const matrices = [...tensors].filter(([name]) => name.endsWith("lin.weight")).map(([, { shape }]) => shape);
  return { features: matrices[0][1], classes: matrices.at(-1)![0] };
}
