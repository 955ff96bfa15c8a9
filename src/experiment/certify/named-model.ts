import type { Model } from "../../nn/model.ts";

/** A model, and the name of its kind in the list of models, by which another thread builds it again. */
export interface NamedModel {
  readonly kind: string;
  readonly model: Model;
}
