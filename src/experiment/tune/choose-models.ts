import { type MeanError, meanError } from "../mean-error.ts";
import type { NamedOptions } from "../study/study.ts";
import type { ModelGrid } from "./model-grids.ts";

/** A model of a grid, and how often it is right on validation nodes, over the seeds. */
export interface TunedModel {
  readonly model: NamedOptions;
  readonly validation: MeanError;
}

/** A grid with its models, the best first; of equally good ones, the one that the file has first. */
export interface TunedGrid extends ModelGrid {
  readonly ranked: readonly TunedModel[];
}

/** `accuracies` has those of every seed, for every model of every grid in turn. */
export function chooseModels(grids: readonly ModelGrid[], accuracies: readonly (readonly number[])[]): TunedGrid[] {
  let next = 0;
  return grids.map((grid) => {
    const ranked = grid.models.map((model) => ({ model, validation: meanError(accuracies[next++]) }));
    return { ...grid, ranked: ranked.sort((a, b) => b.validation.mean - a.validation.mean) };
  });
}
