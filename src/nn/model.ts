import type { Rng } from "../core/rng.ts";
import type { Constants, GraphView, Tensor } from "../tensor/index.ts";
import type { ConvolutionStack } from "./layers/convolution-stack.ts";

/** One forward pass: with `dropout` it is a training pass and draws from it; without, an evaluation. */
export interface Pass {
  /** What is the same in all passes of a run. */
  readonly constants: Constants;
  /** Random numbers of a training pass. */
  readonly dropout: Rng | null;
}

/** What of a graph the gradient of a model's output reaches. */
export interface Differentiable {
  /** Through the weights of an overlay: what edge attacks need. */
  readonly edges: boolean;
}

/** A node classifier: logits `[n, classes]` from a graph. Any object of this shape can be trained and attacked. */
export interface Model {
  readonly name: string;
  /** What it was built with, as stored beside saved weights. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Trained, by name. */
  readonly parameters: ReadonlyMap<string, Tensor>;
  /** Saved but not trained, such as running averages. */
  readonly statistics: ReadonlyMap<string, Tensor>;
  readonly differentiable: Differentiable;
  forward(view: GraphView, pass: Pass): Tensor;
  /**
   * The model as a stack of graph convolutions, if it is one: what a few flips do to it is then computed from the rows that they
   * reach. Tensors that it makes live until the end of the scope.
   */
  convolutions?(): ConvolutionStack | null;
  dispose(): void;
}
