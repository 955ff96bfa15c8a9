import { edgeBudget } from "../attack/budget.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import type { Progress } from "../core/progress.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { Model } from "../nn/model.ts";
import { evaluate } from "../nn/training/evaluate.ts";
import { withFlips } from "../tensor/index.ts";
import { buildModel } from "./build-model.ts";
import { modelKinds } from "./models.ts";
import { runAttack } from "./run-attack.ts";
import { runTrain } from "./run-train.ts";
import type { Session } from "./session.ts";

/** Which models are compared under which attacks. */
export interface RobustnessPlan {
  /** The first one is attacked directly; its flips are transferred to the others. */
  readonly models: readonly string[];
  readonly attacks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly epsilons: readonly number[];
  readonly seed: number;
}

/** Accuracies of the models on the clean graph and under every attack. */
export interface RobustnessResult {
  /** Of the models that were trained: all, unless the run was interrupted. */
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

/** How a run tells what it is doing: a step of several, each with its own bar. */
export interface Steps {
  begin(what: string): Progress;
  end(result: string): void;
}

/** Mistakes in a plan fail here, before anything is trained. */
export function checkPlan(session: Session, { models, attacks, epsilons, seed }: RobustnessPlan): void {
  for (const name of models) lookup(modelKinds, name, "model");
  for (const epsilon of epsilons) edgeBudget(session.graph, epsilon);
  for (const [attack, options] of Object.entries(attacks)) {
    const kind = lookup(globalAttacks, attack, "attack");
    resolveOptions(attack, kind.options, options);
    if (kind.asksFor !== "gradients") continue;
    const { model } = buildModel(session, { model: models[0], seed });
    try {
      checkDifferentiable(attack, model);
    } finally {
      model.dispose();
    }
  }
}

/** Trains the models, attacks the first and evaluates all of them on every perturbed graph. */
export async function compareRobustness(
  session: Session,
  plan: RobustnessPlan,
  steps: Steps,
  signal?: StopSignal,
): Promise<RobustnessResult> {
  const { models, attacks, epsilons, seed } = plan;
  const watch = (progress: Progress) => ({ progress, ...(signal && { signal }) });
  const trained: { name: string; model: Model }[] = [];
  const clean: Record<string, number> = {};
  const rows: RobustnessRow[] = [];
  try {
    for (const name of models) {
      if (signal?.aborted) break; // a model that has learned nothing is no result
      const { report, built } = await runTrain(session, { model: name, seed }, watch(steps.begin(`train ${name}`)));
      trained.push({ name, model: built.model });
      clean[name] = report.accuracy.test;
      steps.end(
        `test accuracy ${report.accuracy.test.toFixed(3)}, ${report.epochs} epochs in ${report.seconds.toFixed(1)} s`,
      );
    }
    const nodes = session.split(seed).test;
    for (const [attack, options] of Object.entries(attacks)) {
      for (const epsilon of epsilons) {
        if (signal?.aborted) break;
        const progress = steps.begin(`${attack} on ${models[0]}, ${percent(epsilon)} of the edges`);
        const { perturbation, cost } = await runAttack(
          session,
          trained[0].model,
          { attack, epsilon, seed, options },
          watch(progress),
        );
        const accuracy: Record<string, number> = {};
        const { flips } = perturbation;
        const perturbed = withFlips(session.view, flips); // one for all: they share what depends on its edges alone
        try {
          for (const { name, model } of trained) accuracy[name] = await evaluate(model, perturbed, nodes);
        } finally {
          perturbed.dispose();
        }
        rows.push({ attack, epsilon, numFlips: flips.sources.length, seconds: cost.seconds, accuracy });
        steps.end(`${models[0]} falls to ${accuracy[models[0]].toFixed(3)} in ${cost.seconds.toFixed(1)} s`);
      }
    }
    return { clean, rows, interrupted: signal?.aborted ?? false };
  } finally {
    for (const { model } of trained) model.dispose();
  }
}

export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`;
}
