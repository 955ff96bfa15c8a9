import { check } from "../../core/errors.ts";
import type { DatasetChoice, NamedOptions, Study, StudyPart } from "../study/study.ts";
import { modelsOf, parseStudy } from "../study/study-file.ts";
import { YamlValue } from "../study/yaml-value.ts";

/** An entry of `models` that stands for several models, on one graph with one kind of split: one of them is to be chosen. */
export interface ModelGrid {
  /** Where the entry stands: the number of the part, and its own among the models there. */
  readonly part: number;
  readonly entry: number;
  readonly dataset: DatasetChoice;
  readonly split: string | null;
  readonly models: readonly NamedOptions[];
}

/** A study of which models are to be chosen, as its file says it. */
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
 * What is measured to choose: every model of every grid on validation nodes, with the seeds of the study unless others are given. One
 * part for each model.
 */
export function tuningStudy({ study, grids }: TunableStudy, seeds?: readonly number[]): Study {
  const parts = grids.flatMap(({ part, dataset, split, models }) => {
    const { seeds: own, devices = ["cpu"], trainedOn = devices[0] } = study.parts[part];
    const place = { datasets: [dataset], splits: [split], devices: [trainedOn], seeds: seeds ?? own };
    return models.map((model): StudyPart => ({ ...place, models: [model], quantity: "validation-accuracy" }));
  });
  return { name: `${study.name} tuning`, parts };
}
