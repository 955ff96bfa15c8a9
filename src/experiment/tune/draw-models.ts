import { Rng } from "../../core/rng.ts";
import type { NamedOptions } from "../study/study.ts";
import type { ModelGrid } from "./model-grids.ts";

/** The grids with at most so many of their models, drawn at random, the same ones whenever they are drawn from the same grid. */
export function drawModels(grids: readonly ModelGrid[], most: number): ModelGrid[] {
  return grids.map((grid) => ({ ...grid, models: drawn(grid.models, most) }));
}

/** In their order. A model is taken with the share of places that are left among those that may still be taken. */
function drawn(models: readonly NamedOptions[], most: number): NamedOptions[] {
  const rng = new Rng(0);
  const taken: NamedOptions[] = [];
  for (const [k, model] of models.entries()) {
    if (rng.uniform() * (models.length - k) < most - taken.length) taken.push(model);
  }
  return taken;
}
