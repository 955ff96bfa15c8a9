import { edgeBudget } from "../attack/budget.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { lookup } from "../core/errors.ts";
import { type Json, resolveOptions } from "../core/options/index.ts";
import { buildModel } from "../defense/build-model.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { allFinished } from "./results/all-finished.ts";
import type { Session } from "./session.ts";
import type { FinishedRun, RunStore } from "./store/store.ts";
import { namedByContent, type Plan, type PlanOptions, planStudy } from "./study/plan-study.ts";
import type { RunDescription } from "./study/run-description.ts";
import type { DatasetChoice, StudyPart } from "./study/study.ts";

/** Which models are compared under which attacks, and where. */
export interface RobustnessChoice {
  readonly dataset: DatasetChoice;
  /** As `--split` takes it; the published one if left out. */
  readonly split?: string;
  /** `cpu` or `webgpu`. */
  readonly device: string;
  /** The first one is attacked directly; its flips are transferred to the others. */
  readonly models: readonly string[];
  readonly attacks: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly epsilons: readonly number[];
  readonly seeds: readonly number[];
}

/** Accuracies of the models on the clean graph and under every attack. */
export interface RobustnessResult {
  /** By model; models that were not trained yet are missing after an interruption. */
  readonly clean: Readonly<Record<string, number>>;
  readonly rows: readonly RobustnessRow[];
  readonly interrupted: boolean;
}

/** Accuracy of every model after one attack with one budget. */
export interface RobustnessRow {
  readonly attack: string;
  readonly epsilon: number;
  readonly numFlips: number;
  readonly seconds: number;
  readonly accuracy: Readonly<Record<string, number>>;
}

/** Mistakes in a choice fail here, before anything is trained. */
export function checkRobustness(session: Session, { models, attacks, epsilons, seeds }: RobustnessChoice): void {
  for (const name of models) lookup(modelKinds, name, "model");
  for (const epsilon of epsilons) edgeBudget(session.graph, epsilon);
  for (const [attack, options] of Object.entries(attacks)) {
    const kind = lookup(globalAttacks, attack, "attack");
    resolveOptions(attack, kind.options, options);
    if (kind.asksFor !== "gradients") continue;
    const { model } = buildModel(session, { model: models[0], seed: seeds[0] });
    try {
      checkDifferentiable(attack, model);
    } finally {
      model.dispose();
    }
  }
}

/** The runs of a comparison: every model on the clean graph, then every attack on the first with its flips transferred to the others. */
export async function planRobustness(choice: RobustnessChoice, options: PlanOptions = {}): Promise<Plan> {
  const { dataset, split, device, models, attacks, epsilons, seeds } = choice;
  const named = models.map((name) => ({ name, options: {} }));
  const clean: StudyPart = {
    datasets: [dataset],
    splits: [split ?? null],
    models: named,
    seeds,
    devices: [device],
  };
  const attacked: StudyPart = {
    ...clean,
    surrogate: named[0],
    attacks: Object.entries(attacks).map(([name, given]) => ({ name, options: given })),
    budgets: epsilons.map((epsilon) => ({ epsilon })),
  };
  return namedByContent(await planStudy({ name: "demo", parts: [clean, attacked] }, options));
}

/** Reads the results of a comparison from a store, one per seed. */
export async function readRobustness(
  store: RunStore,
  plan: Plan,
  { seeds, models }: RobustnessChoice,
): Promise<RobustnessResult[]> {
  const finished = new Map<string, FinishedRun>();
  for await (const run of allFinished(store, { study: plan.study })) finished.set(run.id, run);
  return seeds.map((seed) => {
    const ofSeed = plan.runs.filter(({ description }) => description.seed === seed);
    const done = ofSeed.flatMap(({ id }) => finished.get(id) ?? []);
    return { ...resultOf(done, models.length), interrupted: done.length < ofSeed.length };
  });
}

/** One row for each attack and budget for which every model has a result. */
function resultOf(runs: readonly FinishedRun[], numModels: number): Omit<RobustnessResult, "interrupted"> {
  const clean = runs.filter(({ description }) => description.cell.attack === null);
  const cleanOf = Object.fromEntries(clean.map(({ description, outcome }) => [nameOf(description), outcome.value]));
  const rows = new Map<string, FinishedRun[]>();
  for (const run of runs) {
    const { attack } = run.description.cell;
    if (attack === null) continue;
    const key = JSON.stringify([attack.name, attack.epsilon]);
    rows.set(key, [...(rows.get(key) ?? []), run]);
  }
  const whole = [...rows.values()].filter((row) => row.length === numModels);
  return { clean: cleanOf, rows: whole.map(rowOf) };
}

function rowOf(runs: readonly FinishedRun[]): RobustnessRow {
  const { name, epsilon } = runs[0].description.cell.attack!;
  const { flips, attack } = runs[0].outcome.result as {
    flips: { added: number; removed: number };
    attack: { seconds: number };
  };
  return {
    attack: name,
    epsilon: epsilon!,
    numFlips: flips.added + flips.removed,
    seconds: attack.seconds,
    accuracy: Object.fromEntries(runs.map(({ description, outcome }) => [nameOf(description), outcome.value])),
  };
}

function nameOf({ cell }: RunDescription): string {
  return cell.model.name;
}

export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`;
}
