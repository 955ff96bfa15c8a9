import type { Model } from "../../../nn/model.ts";
import type { GraphView } from "../../../tensor/index.ts";
import { checkDifferentiable } from "../../victim.ts";
import { OverlayVictim } from "./overlay-victim.ts";
import type { RelaxedVictim } from "./relaxed-node.ts";

/** The cheapest way to relax the edges of single nodes that a model offers. */
export async function relaxedVictim(model: Model, view: GraphView, _options: unknown): Promise<RelaxedVictim> {
  checkDifferentiable("local-prbcd", model);
  return new OverlayVictim(model, view);
}
