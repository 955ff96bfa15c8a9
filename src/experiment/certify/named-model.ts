import type { Model } from "../../nn/model.ts";

/** A model, and the name of its kind (in `modelKinds`), by which another thread builds it again. */
export interface NamedModel {
  readonly kind: string;
  readonly model: Model;
}
