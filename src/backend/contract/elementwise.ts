import type { Key } from "../../core/philox.ts";
import type { Buffer } from "./storage.ts";

/** A copy: `to` receives the values of `from`. In a list of copies, no `to` may be part of another copy. */
export type Copy = readonly [to: Buffer, from: Buffer];

/** Element by element, over the first out.length elements of each input. */
export interface Elementwise {
  fill(out: Buffer, value: number): void;
  /** out = X, both f32 or both i32. */
  copy(out: Buffer, X: Buffer): void;
  /** Does all copies, as {@link copy}, if chosen_0 > 0, else nothing. The device decides, so the host need not wait. */
  copyIf(copies: readonly Copy[], chosen: Buffer): void;
  /** chosen_0 = 1 and best_0 = score_0 if score_0 < best_0, else chosen_0 = 0. */
  improve(chosen: Buffer, best: Buffer, score: Buffer): void;
  /** out = f(X). May work in place. */
  unary(kind: Unary, out: Buffer, X: Buffer): void;
  /** dX = dY · f'(X), given input X and output Y = f(X); at a kink the slope from the left. May write over dY. */
  unaryGrad(kind: Unary, dX: Buffer, dY: Buffer, X: Buffer, Y: Buffer): void;
  /** out = A ∘ B for one of the four operations. May work in place. */
  binary(kind: Binary, out: Buffer, A: Buffer, B: Buffer): void;
  /** out = a·A + b·B + c (B absent: a·A + c). May work in place. */
  affine(args: AffineArguments): void;
  /** out = min(max(X, low), high). May work in place. */
  clip(out: Buffer, X: Buffer, low: number, high: number): void;
  /**
   * Inverted dropout: out_e = X_e / (1 − rate) where 16 bits of Philox reach the threshold of `rate`
   * (`dropout.ts`), else 0: half `e & 1` (the lower one first) of word `(e >> 1) & 3` of counter `e >> 3`.
   * Applied to dY with the same key it is its own gradient. May work in place.
   */
  dropout(out: Buffer, X: Buffer, rate: number, key: Key): void;
  /** out = dropout(max(X, 0)), element by element as above. May work in place. */
  reluDropout(out: Buffer, X: Buffer, rate: number, key: Key): void;
  /** dX = dY / (1 − rate) where Y > 0, else 0, given the output Y of {@link reluDropout}. May write over dY. */
  reluDropoutGrad(dX: Buffer, dY: Buffer, Y: Buffer, rate: number): void;
  /**
   * One step of Adam with L2 decay added to the gradient: g = gradient + weightDecay·parameter, parameter −=
   * learningRate · m̂ / (√v̂ + epsilon) with bias-corrected m̂, v̂; `step` counts from 1. Updates all but `gradient`.
   */
  adam(parameter: Buffer, gradient: Buffer, m: Buffer, v: Buffer, options: AdamOptions): void;
}

/** What {@link Elementwise.affine} takes. */
export interface AffineArguments {
  readonly out: Buffer;
  readonly a: number;
  readonly A: Buffer;
  /** Default 0. */
  readonly b?: number;
  /** Default none. */
  readonly B?: Buffer | null;
  /** Default 0. */
  readonly c?: number;
}

/** Elementwise functions. `rsqrt` and `reciprocal` map 0 to 0 (isolated nodes); `leakyRelu` has slope 0.2 below 0. */
export type Unary = "relu" | "leakyRelu" | "elu" | "tanh" | "exp" | "log" | "sqrt" | "rsqrt" | "reciprocal" | "square";

/** A function of two numbers, entry by entry. */
export type Binary = "add" | "sub" | "mul" | "div";

/** One step of Adam (Kingma and Ba 2015); steps count from 1. */
export interface AdamOptions {
  readonly step: number;
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
}
