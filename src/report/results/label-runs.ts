import type { Json } from "../../core/options/index.ts";
import { canonicalJson } from "../../experiment/study/canonical-json.ts";
import { attackedModel, type ModelDescription, type RunDescription } from "../../experiment/study/run-description.ts";
import { distinct } from "../charts/distinct.ts";
import { labelsOf, type Named } from "./labels.ts";

/** What a report calls the parts of a run. */
export interface RunLabels {
  readonly dataset: string;
  readonly model: string;
  readonly attack: string | null;
  readonly attackedModel: string;
}

/** Labels of runs that are as short as telling them apart allows. */
export function labelRuns(runs: readonly RunDescription[]): RunLabels[] {
  const dataset = labelsOf(runs.map(datasetOf));
  const model = labelsOf(runs.flatMap((run) => [run.cell.model, attackedModel(run)]).map(modelOf));
  const isTransferToo = surrogatesOf(runs);
  const attacks = runs.map((run) => attackOf(run, isTransferToo));
  const attack = labelsOf(attacks.filter((each) => each !== null));
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

function attackOf({ cell }: RunDescription, isTransferToo: (cell: RunDescription["cell"]) => boolean): Named | null {
  const { attack, time } = cell;
  if (!attack) return null;
  const { name, options, loss, objective, surrogate, helper, polish, constraints, influence } = attack;
  const special = {
    ...(helper && { helper: helper.name }),
    ...(polish !== undefined && { polishOnVictim: polish }),
    ...(constraints && { constraints: asJson(constraints) }),
    ...(influence !== undefined && { influence }),
  };
  const from = isTransferToo(cell) ? { from: surrogate?.name ?? "victim" } : {};
  return { name, options: { ...options, ...(loss !== null && { loss }), objective, time, ...special, ...from } };
}

/** Whether the same attack on the same model is there both direct and transferred, or transferred from several models. */
function surrogatesOf(runs: readonly RunDescription[]): (cell: RunDescription["cell"]) => boolean {
  const keyOf = ({ attack, model, graph, time }: RunDescription["cell"]) =>
    canonicalJson([graph.dataset, asJson(model), attack && asJson({ ...attack, surrogate: null }), time]);
  const cells = distinct(runs.map(({ cell }) => cell)).filter(({ attack }) => attack !== null);
  const surrogates = Map.groupBy(cells, keyOf);
  const several = new Set<string>();
  for (const [key, same] of surrogates) {
    const found = new Set(same.map(({ attack }) => canonicalJson(asJson(attack?.surrogate ?? {}))));
    if (found.size > 1) several.add(key);
  }
  return (cell) => several.has(keyOf(cell));
}

function asJson(description: object): Json {
  return description as unknown as Json;
}
