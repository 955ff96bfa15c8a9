import { checkBudget, edgeBudget } from "../../attack/budget.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { objectiveByName } from "../../attack/objective.ts";
import type { Description, Json } from "../../core/options/index.ts";
import type { LoadedGraph } from "../../data/preprocess.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import { loadGraph } from "../../files/load.ts";
import { splitHash } from "../../files/split-hash.ts";
import { resolveHyperparameters } from "../../nn/models/hyperparameters.ts";
import { presetOf } from "../../nn/models/presets.ts";
import { modelKinds, presets } from "../models.ts";
import { openSplit } from "../session.ts";
import type { PlannedRun } from "../store/store.ts";
import { attackOptions } from "./attack-options.ts";
import { canonicalJson } from "./canonical-json.ts";
import { codeHash } from "./code-hash.ts";
import { graphContentHash } from "./graph-content.ts";
import {
  type AttackDescription,
  attackedModel,
  type CellDescription,
  type GraphDescription,
  type ModelDescription,
  modelId,
  runId,
  workId,
} from "./run-description.ts";
import type { BudgetWish, NamedOptions, Study } from "./study.ts";

/** Where graphs are looked for. */
export interface PlanOptions {
  readonly dataDir?: string;
}

/** What a study comes to. */
export interface Plan {
  readonly study: string;
  readonly runs: readonly PlannedRun[];
  /** Nodes of the largest graph. */
  readonly largestGraph: number;
}

/**
 * The runs of a study, in the order in which they are best done: those that share a graph, a seed and a trained model one after the
 * other. Loads every graph, so that budgets and names of classes are checked before anything is measured.
 */
export async function planStudy(study: Study, options: PlanOptions = {}): Promise<Plan> {
  const runs: PlannedRun[] = [];
  let largestGraph = 0;
  for (const choice of study.datasets) {
    const loaded = await loadGraph(choice.dataset, { ...choice, ...options });
    const graph: GraphDescription = { ...choice, sha256: graphContentHash(loaded.graph) };
    largestGraph = Math.max(largestGraph, loaded.graph.numNodes);
    for (const split of study.splits) {
      const source = openSplit(loaded, split === null ? undefined : parseSplitChoice(split));
      const cells = cellsOf(study, loaded, graph, split);
      for (const seed of study.seeds) {
        const hash = splitHash(source.split(seed), loaded.ids);
        runs.push(...inBatches(cells.map((cell) => plannedRun(cell, seed, hash))));
      }
    }
  }
  return { study: study.name, runs, largestGraph };
}

function plannedRun(cell: CellDescription, seed: number, hash: string): PlannedRun {
  const description = { cell, seed, splitHash: hash };
  const { attack } = cell;
  return {
    id: runId(description),
    description,
    work: workId(description, attack !== null && globalAttacks[attack.name].incremental),
    batch: modelId(description, attackedModel(description)),
  };
}

/** Runs of the same batch one after the other, otherwise in the order in which they were. */
function inBatches(runs: readonly PlannedRun[]): PlannedRun[] {
  const batches = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const batch = batches.get(run.batch);
    if (batch) batch.push(run);
    else batches.set(run.batch, [run]);
  }
  return [...batches.values()].flat();
}

/** Every combination of what the study lists, on one graph with one kind of split. */
function cellsOf(study: Study, loaded: LoadedGraph, graph: GraphDescription, split: string | null): CellDescription[] {
  const code = { training: codeHash("training"), attack: codeHash("attack") };
  const surrogate = study.surrogate && describeModel(study.surrogate, loaded.graph.name);
  const attacks = study.attacks.flatMap((attack) =>
    study.objectives.flatMap((objective) =>
      study.budgets.map((budget) => describeAttack(attack, objective, budget, loaded)),
    ),
  );
  return study.devices.flatMap((device) =>
    study.models.flatMap((each) => {
      const model = describeModel(each, loaded.graph.name);
      const clean: CellDescription = {
        graph,
        split,
        model,
        attack: null,
        time: "evasion",
        nodes: "test",
        device,
        code,
      };
      if (attacks.length === 0) return [clean];
      const other = surrogate && !isSame(surrogate, model) ? surrogate : null;
      return study.times.flatMap((time) =>
        attacks.map((attack): CellDescription => ({ ...clean, attack: { ...attack, surrogate: other }, time })),
      );
    }),
  );
}

/** All hyperparameters: those given, then those published for the dataset, then the defaults. */
function describeModel({ name, options }: NamedOptions, dataset: string): ModelDescription {
  const kind = modelKinds[name];
  const { model, training } = resolveHyperparameters(name, kind, presetOf(presets, name, dataset).values, options);
  return { name, hyperparameters: { ...toJson(kind.options, model), ...toJson(kind.trainingOptions, training) } };
}

function toJson(description: Description, values: Readonly<Record<string, unknown>>): Record<string, Json> {
  const entries = Object.entries(description).map(([name, option]) => [name, option.toJson(values[name])]);
  return Object.fromEntries(entries);
}

function describeAttack(
  { name, options }: NamedOptions,
  objective: string,
  wish: BudgetWish,
  { graph, classes }: LoadedGraph,
): AttackDescription {
  const kind = globalAttacks[name];
  const values = attackOptions(name, options);
  kind.check?.(values);
  const { loss: ownLoss } = objectiveByName(objective, classes);
  const isOwn = ownLoss !== null && options["loss"] === undefined && kind.loss !== null;
  const budget = "budget" in wish ? wish.budget : edgeBudget(graph, wish.epsilon);
  checkBudget(graph, budget);
  return {
    name,
    options,
    loss: isOwn ? objective : ((options["loss"] as string | undefined) ?? kind.lossWith?.(values) ?? kind.loss),
    objective,
    epsilon: "epsilon" in wish ? wish.epsilon : null,
    budget,
    surrogate: null,
  };
}

function isSame(a: ModelDescription, b: ModelDescription): boolean {
  return canonicalJson(a as unknown as Json) === canonicalJson(b as unknown as Json);
}
