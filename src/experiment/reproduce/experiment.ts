import type { Description, Json } from "../../core/options/index.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { cellsOf, namedByContent, type Plan, planStudy } from "../study/plan-study.ts";
import { namedGraph } from "../study/planned-graph.ts";
import type {
  AttackDescription,
  BudgetDescription,
  CellDescription,
  ModelDescription,
} from "../study/run-description.ts";
import type { NamedOptions, StudyPart } from "../study/study.ts";

/** What a row of a table measures with each seed: a part of a study with one of everything. */
export type Experiment = Omit<StudyPart, "seeds" | "devices">;

/** The dataset, victim and attack of an experiment, and whatever else differs from the defaults. */
export interface ExperimentChoice extends Omit<Experiment, "datasets" | "models" | "attacks" | "budgets"> {
  readonly dataset: string;
  readonly model: NamedOptions;
  /** None if left out. */
  readonly attack?: NamedOptions;
  readonly epsilon?: number;
}

export function experimentOf({ dataset, model, attack, epsilon, ...rest }: ExperimentChoice): Experiment {
  return {
    datasets: [{ dataset }],
    models: [model],
    ...(attack && { attacks: [attack] }),
    ...(epsilon !== undefined && { budgets: [{ epsilon }] }),
    ...rest,
  };
}

/** A model or an attack with its default options. */
export function plain(name: string): NamedOptions {
  return { name, options: {} };
}

/**
 * Identifies an experiment, regardless of the code and the device that measured it and of the content of its graph.
 * Results of other code are thus found, and recognised as stale.
 */
export function experimentKey(cell: CellDescription): string {
  const { graph, split, model, attack, time, nodes, quantity } = cell;
  const { sha256: _, ...choice } = graph;
  const key = {
    graph: choice,
    split,
    model: byChoice(model),
    attack: attack && attackByChoice(attack),
    time,
    nodes: nodes === "test" ? nodes : { drawnFor: nodes.drawnFor.map(asAsked) },
    quantity,
  };
  return canonicalJson(key as unknown as Json);
}

function attackByChoice(attack: AttackDescription): AttackDescription {
  const { surrogate, helper, after } = attack;
  return {
    ...attack,
    ...asAsked(attack),
    surrogate: surrogate && byChoice(surrogate),
    ...(helper && { helper: byChoice(helper) }),
    ...(after && { after: after.map(asAsked) }),
  };
}

/**
 * A model reduced to hyperparameters that are not the default: results from before an option existed count as those of
 * its default.
 */
function byChoice(model: ModelDescription): ModelDescription {
  const { name, hyperparameters, trainedWith } = model;
  const kind = modelKinds[name];
  if (!kind) return model; // of another version
  const description: Description = { ...kind.options, ...kind.trainingOptions };
  const isChosen = ([option, value]: readonly [string, Json]) => {
    const known = description[option];
    return !known || canonicalJson(known.toJson(known.default)) !== canonicalJson(value);
  };
  const chosenOf = (values: ModelDescription["hyperparameters"]) =>
    Object.fromEntries(Object.entries(values).filter(isChosen));
  return {
    name,
    hyperparameters: chosenOf(hyperparameters),
    ...(trainedWith && { trainedWith: chosenOf(trainedWith) }),
  };
}

/** The key of an experiment before its graph is loaded. */
export function keyOfExperiment(experiment: Experiment): string {
  const part = { ...experiment, seeds: [] };
  const [{ cell }] = cellsOf(part, namedGraph(part.datasets[0]), null);
  return experimentKey(cell);
}

/** A budget without the number of flips if it is a share: that number depends on the graph. */
function asAsked({ epsilon, budget }: BudgetDescription): BudgetDescription {
  return { epsilon, budget: epsilon === null ? budget : 0 };
}

/** Where experiments are measured. */
export interface ExperimentPlace {
  readonly seeds: readonly number[];
  /** Devices by the name of the graph. */
  readonly devices: ReadonlyMap<string, string>;
  readonly dataDir?: string | undefined;
}

/** The runs of all experiments, as a study of its own. */
export async function planExperiments(
  name: string,
  experiments: readonly Experiment[],
  { seeds, devices, dataDir }: ExperimentPlace,
): Promise<Plan> {
  const parts = experiments.map((experiment): StudyPart => {
    const device = devices.get(experiment.datasets[0].dataset) ?? "cpu";
    return { ...experiment, seeds, devices: [device] };
  });
  return namedByContent(await planStudy({ name, parts }, dataDir === undefined ? {} : { dataDir }));
}
