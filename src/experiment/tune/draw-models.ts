import { Rng } from "../../core/rng.ts";
import type { NamedOptions } from "../study/study.ts";
import type { ModelGrid } from "./model-grids.ts";

/** The grids with at most `most` of their models each, drawn at random. The same grid always gives the same draw. */
export function drawModels(grids: readonly ModelGrid[], most: number): ModelGrid[] {
  return grids.map((grid) => ({ ...grid, models: drawn(grid.models, most) }));
}

/**
 * Draws models and keeps their order (selection sampling). Each is taken with probability (places left) / (models
 * left).
 */
function drawn(models: readonly NamedOptions[], most: number): NamedOptions[] {
  const rng = new Rng(0);
  const taken: NamedOptions[] = [];
  for (const [k, model] of models.entries()) {
    if (rng.uniform() * (models.length - k) < most - taken.length) taken.push(model);
  }
  return taken;
}
