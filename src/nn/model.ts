import type { Rng } from "../core/rng.ts";
import type { Constants, GraphView, Tensor } from "../tensor/index.ts";
import type { ConvolutionStack } from "./layers/convolution-stack.ts";

/** One forward pass. With `dropout` it is a training pass, which draws from it; without, an evaluation. */
export interface Pass {
  /** Keeps what is the same in all passes of a run. */
  readonly constants: Constants;
  /** Random numbers of a training pass. */
  readonly dropout: Rng | null;
}

/** The parts of a graph with respect to which a model's output can be differentiated. */
export interface Differentiable {
  /** Edges, through the weights of an overlay: edge attacks need this. */
  readonly edges: boolean;
}

/** A node classifier: logits `[n, classes]` from a graph. Any object of this shape can be trained and attacked. */
export interface Model {
  readonly name: string;
  /** The hyperparameters it was built with, which are saved with its weights. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Tensors that are trained, by name. */
  readonly parameters: ReadonlyMap<string, Tensor>;
  /** Tensors that are saved but not trained, such as running averages. */
  readonly statistics: ReadonlyMap<string, Tensor>;
  readonly differentiable: Differentiable;
  forward(view: GraphView, pass: Pass): Tensor;
  /**
   * The model as a stack of graph convolutions, or null if it is none. With it, the effect of a few flips is computed
   * from the rows that they reach. Tensors that it makes live until the end of the scope.
   */
  convolutions?(): ConvolutionStack | null;
  dispose(): void;
}
