import { check } from "../../core/errors.ts";
import type { DatasetChoice, NamedOptions, Study, StudyPart } from "../study/study.ts";
import { modelsOf, parseStudy } from "../study/study-file.ts";
import { YamlValue } from "../study/yaml-value.ts";

/**
 * An entry of `models` with lists of values, which stands for several models on one graph with one kind of split.
 * Tuning chooses one of them.
 */
export interface ModelGrid {
  /** Position of the entry: the index of its part, and its own index among the models there. */
  readonly part: number;
  readonly entry: number;
  readonly dataset: DatasetChoice;
  readonly split: string | null;
  readonly models: readonly NamedOptions[];
}

/** A study as its file has it, with the grids to choose models from. */
export interface TunableStudy {
  readonly study: Study;
  readonly grids: readonly ModelGrid[];
}

/** Reads the text of a study file, in which at least one model must have a list of values. */
export function readTunable(text: string, file: string): TunableStudy {
  const study = parseStudy(text, file);
  const keys = YamlValue.parse(text, file).entries();
  const own = keys.get("parts")?.items() ?? [];
  const grids = study.parts.flatMap((part, k) => {
    const models = own[k]?.entries().get("models") ?? keys.get("models");
    return gridsOf(part, k, models!.items().map(modelsOf));
  });
  const example = "{ name: gcn, dropout: [0.3, 0.5, 0.8] }";
  check(grids.length > 0, () => `${file}: no model has a list of values to choose from; give one, such as ${example}`);
  return { study, grids };
}

function gridsOf({ datasets, splits = [null] }: StudyPart, part: number, entries: NamedOptions[][]): ModelGrid[] {
  return datasets.flatMap((dataset) =>
    splits.flatMap((split) =>
      entries.flatMap((models, entry) => (models.length > 1 ? [{ part, entry, dataset, split, models }] : [])),
    ),
  );
}

/**
 * The study that tuning measures: every model of every grid on validation nodes, one part for each model, with the
 * seeds of the study unless others are given.
 */
export function tuningStudy({ study, grids }: TunableStudy, seeds?: readonly number[]): Study {
  const parts = grids.flatMap(({ part, dataset, split, models }) => {
    const { seeds: own, devices = ["cpu"], trainedOn = devices[0] } = study.parts[part];
    const place = { datasets: [dataset], splits: [split], devices: [trainedOn], seeds: seeds ?? own };
    return models.map((model): StudyPart => ({ ...place, models: [model], quantity: "validation-accuracy" }));
  });
  return { name: `${study.name} tuning`, parts };
}
