import { type MeanError, meanError } from "../mean-error.ts";
import type { NamedOptions } from "../study/study.ts";
import type { ModelGrid } from "./model-grids.ts";

/** A model of a grid, and its validation accuracy over the seeds. */
export interface TunedModel {
  readonly model: NamedOptions;
  readonly validation: MeanError;
}

/** A grid with its models, the best first; equally good ones are in the order of the file. */
export interface TunedGrid extends ModelGrid {
  readonly ranked: readonly TunedModel[];
}

/**
 * Ranks the models of each grid. `accuracies` has one list for every model of every grid in turn, with a value per
 * seed.
 */
export function chooseModels(grids: readonly ModelGrid[], accuracies: readonly (readonly number[])[]): TunedGrid[] {
  let next = 0;
  return grids.map((grid) => {
    const ranked = grid.models.map((model) => ({ model, validation: meanError(accuracies[next++]) }));
    return { ...grid, ranked: ranked.sort((a, b) => b.validation.mean - a.validation.mean) };
  });
}
