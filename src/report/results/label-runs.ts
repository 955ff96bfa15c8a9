import type { Json } from "../../core/options/index.ts";
import { canonicalJson } from "../../experiment/study/canonical-json.ts";
import {
  attackedModel,
  type CellDescription,
  type ModelDescription,
  type RunDescription,
} from "../../experiment/study/run-description.ts";
import { distinct } from "../charts/distinct.ts";
import { labelsOf, type Named } from "./labels.ts";

/** The names that a report gives the parts of a run. */
export interface RunLabels {
  readonly dataset: string;
  readonly model: string;
  readonly attack: string | null;
  readonly attackedModel: string;
}

/** Labels of runs: names with only those options that are needed to tell the runs apart. */
export function labelRuns(runs: readonly RunDescription[]): RunLabels[] {
  const dataset = labelsOf([runs.map(datasetOf)]);
  const onOneGraph = [...Map.groupBy(runs, (run) => dataset(datasetOf(run))).values()];
  const model = labelsOf(
    onOneGraph.map((group) => group.flatMap((run) => [run.cell.model, attackedModel(run)]).map(modelOf)),
  );
  const sourceOf = sourcesOf(runs);
  const attacks = runs.map((run) => attackOf(run, sourceOf));
  const attack = labelsOf(
    onOneGraph.map((group) => group.map((run) => attackOf(run, sourceOf)).filter((each) => each !== null)),
  );
  return runs.map((run, k) => {
    const own = attacks[k];
    return {
      dataset: dataset(datasetOf(run)),
      model: model(modelOf(run.cell.model)),
      attack: own && attack(own),
      attackedModel: model(modelOf(attackedModel(run))),
    };
  });
}

function datasetOf({ cell }: RunDescription): Named {
  const { dataset, sha256: _, ...loaded } = cell.graph;
  return {
    name: dataset,
    options: { ...(loaded as Record<string, Json>), split: cell.split ?? "published", device: cell.device },
  };
}

function modelOf({ name, hyperparameters, trainedWith }: ModelDescription): Named {
  return { name, options: trainedWith ? { ...hyperparameters, trainedWith } : hyperparameters };
}

function attackOf({ cell }: RunDescription, sourceOf: (cell: CellDescription) => string | null): Named | null {
  const { attack, time } = cell;
  if (!attack) return null;
  const { name, options, loss, objective, helper, polish, constraints, influence } = attack;
  const special = {
    ...(helper && { helper: helper.name }),
    ...(polish !== undefined && { polishOnVictim: polish }),
    ...(constraints && { constraints: asJson(constraints) }),
    ...(influence !== undefined && { influence }),
  };
  const from = sourceOf(cell);
  return {
    name,
    options: {
      ...options,
      ...(loss !== null && { loss }),
      objective,
      time,
      ...special,
      ...(from !== null && { from }),
    },
  };
}

/**
 * Tells where an attack finds its flips, if some model is attacked with flips of this attack from several sources; null
 * otherwise. It is the name of the model on which the flips are found if they are also transferred to other models,
 * else `victim`. So flips found on a GCN have the same label on the GCN itself and on all models that they are
 * transferred to.
 */
function sourcesOf(runs: readonly RunDescription[]): (cell: CellDescription) => string | null {
  const attackKey = ({ attack, graph, time }: CellDescription) =>
    canonicalJson([graph.dataset, attack && asJson({ ...attack, surrogate: null }), time]);
  const cells = distinct(runs.map(({ cell }) => cell)).filter(({ attack }) => attack !== null);
  const sources = new Map<string, Set<string>>();
  for (const [key, same] of Map.groupBy(cells, attackKey)) {
    const surrogates = new Set(same.flatMap(({ attack }) => (attack?.surrogate ? [modelKey(attack.surrogate)] : [])));
    const sourcesOfModel = Map.groupBy(same, ({ model }) => modelKey(model)).values();
    const hasSeveral = [...sourcesOfModel].some(
      (cellsOfModel) =>
        new Set(cellsOfModel.map(({ attack }) => attack?.surrogate && modelKey(attack.surrogate))).size > 1,
    );
    if (hasSeveral) sources.set(key, surrogates);
  }
  return (cell) => {
    const surrogates = sources.get(attackKey(cell));
    if (!surrogates) return null;
    const source = cell.attack?.surrogate ?? cell.model;
    return surrogates.has(modelKey(source)) ? source.name : "victim";
  };
}

function modelKey(model: ModelDescription): string {
  return canonicalJson(asJson(model));
}

function asJson(description: object): Json {
  return description as unknown as Json;
}
