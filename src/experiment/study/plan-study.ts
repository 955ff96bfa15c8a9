import { checkBudget, edgeBudget } from "../../attack/budget.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { objectiveByName } from "../../attack/objective.ts";
import type { Description, Json } from "../../core/options/index.ts";
import type { LoadedGraph } from "../../data/preprocess.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import { modelKinds, presets } from "../../defense/model-kinds.ts";
import { loadGraph } from "../../files/load.ts";
import { resolveHyperparameters } from "../../nn/models/hyperparameters.ts";
import { presetOf } from "../../nn/models/presets.ts";
import { openSplit } from "../opened-split.ts";
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
import type { BudgetWish, DatasetChoice, NamedOptions, Study, StudyPart } from "./study.ts";

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
  const runs = new Map<string, PlannedRun>(); // a run that several parts ask for is done once
  const graphs = new Map<string, PlannedGraph>();
  for (const part of study.parts) {
    for (const choice of part.datasets) {
      const key = canonicalJson(choice as unknown as Json);
      const planned = graphs.get(key) ?? (await loadPlanned(choice, options));
      graphs.set(key, planned);
      for (const run of runsOn(part, planned)) runs.set(run.id, run);
    }
  }
  const sizes = [...graphs.values()].map(({ loaded }) => loaded.graph.numNodes);
  return { study: study.name, runs: [...runs.values()], largestGraph: Math.max(0, ...sizes) };
}

/** A graph, and how runs describe it. */
interface PlannedGraph {
  readonly loaded: LoadedGraph;
  readonly description: GraphDescription;
}

async function loadPlanned(choice: DatasetChoice, options: PlanOptions): Promise<PlannedGraph> {
  const loaded = await loadGraph(choice.dataset, { ...choice, ...options });
  return { loaded, description: { ...choice, sha256: graphContentHash(loaded.graph) } };
}

/** The runs of a part on one graph. */
function runsOn(part: StudyPart, { loaded, description }: PlannedGraph): PlannedRun[] {
  return part.splits.flatMap((split) => {
    const source = openSplit(loaded, split === null ? undefined : parseSplitChoice(split));
    const cells = cellsOf(part, loaded, description, split);
    return part.seeds.flatMap((seed) => {
      const { sha256 } = source.facts(seed);
      return inBatches(cells.map((cell) => plannedRun(cell, seed, sha256)));
    });
  });
}

function plannedRun(cell: CellDescription, seed: number, splitHash: string): PlannedRun {
  const description = { cell, seed, splitHash };
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

/** Every combination of what a part lists, on one graph with one kind of split. */
function cellsOf(
  part: StudyPart,
  loaded: LoadedGraph,
  graph: GraphDescription,
  split: string | null,
): CellDescription[] {
  const code = { training: codeHash("training"), attack: codeHash("attack") };
  const surrogate = part.surrogate && describeModel(part.surrogate, loaded.graph.name);
  const attacks = part.attacks.flatMap((attack) =>
    part.objectives.flatMap((objective) =>
      part.budgets.map((budget) => describeAttack(attack, objective, budget, loaded)),
    ),
  );
  return part.devices.flatMap((device) =>
    part.models.flatMap((each) => {
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
      return part.times.flatMap((time) =>
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
