import { globalAttacks } from "../attack/global-attacks.ts";
import { Interrupted } from "../core/errors.ts";
import {
  type AttackReport,
  type AttackRun,
  type BudgetChoice,
  checkVictim,
  PreparedVictim,
  type VictimChoice,
} from "./attack-victim.ts";
import { meanErrorOf, type NumbersOrNull } from "./mean-error.ts";
import type { NodeSession } from "./node-session.ts";
import { budgetOf } from "./run-attack.ts";
import { runTrain, type TrainChoice, type TrainReport, type TrainRun } from "./run-train.ts";
import type { Session } from "./session.ts";
import type { RunWatch } from "./trained-model.ts";

/** What several runs of one command print with `--json`. */
export interface Several<Report, Mean> {
  readonly runs: readonly Report[];
  /** Over the runs that were not interrupted. */
  readonly mean: Mean;
  /** Null where there is one run only. */
  readonly standardError: NumbersOrNull<Mean>;
  readonly interrupted: boolean;
}

/** Trains a model with each seed. The caller disposes the model of each run. */
export async function* trainSeeds(
  session: NodeSession,
  choices: readonly TrainChoice[],
  watch: RunWatch = {},
): AsyncGenerator<TrainRun> {
  for (const [k, choice] of choices.entries()) {
    if (k > 0 && watch.signal?.aborted) return;
    yield await runTrain(session, choice, watch);
    session.discardCheckpoint?.(); // the caller has saved the run by now
  }
}

/**
 * Attacks with each of the choices, which differ by seed, and with every budget; each victim is trained once. If
 * interrupted while a later victim is trained, it keeps what it has; while the first one is trained, it throws
 * {@link Interrupted}.
 */
export async function* attackSeeds(
  session: Session,
  choices: readonly VictimChoice[],
  budgets: readonly BudgetChoice[],
  watch: RunWatch = {},
): AsyncGenerator<AttackRun> {
  for (const choice of choices) checkVictim(session, choice);
  let isFirst = true;
  for (const choice of choices) {
    const victim = await open(session, choice, budgets, watch, isFirst);
    if (!victim) return;
    try {
      for (const budget of inOrder(session, choice, budgets)) {
        if (!isFirst && watch.signal?.aborted) return;
        isFirst = false;
        yield await victim.attack(budget, watch);
      }
    } finally {
      victim.dispose();
    }
  }
}

/** The budgets as given, or ascending where an attack goes on from one to the next. */
function inOrder(
  session: Session,
  { attack }: VictimChoice,
  budgets: readonly BudgetChoice[],
): readonly BudgetChoice[] {
  if (!globalAttacks[attack].chains) return budgets;
  return [...budgets].sort((a, b) => budgetOf(session, a) - budgetOf(session, b));
}

async function open(
  session: Session,
  choice: VictimChoice,
  budgets: readonly BudgetChoice[],
  watch: RunWatch,
  isFirst: boolean,
): Promise<PreparedVictim | null> {
  if (!isFirst && watch.signal?.aborted) return null;
  try {
    return await PreparedVictim.open(session, choice, budgets, watch);
  } catch (error) {
    if (error instanceof Interrupted && !isFirst) return null;
    throw error;
  }
}

export type TrainMean = Pick<TrainReport, "accuracy" | "epochs" | "seconds">;

/** Mean and standard error over seeds. */
export function summariseTraining(
  runs: readonly TrainReport[],
  expected: number,
): Several<TrainReport, TrainMean | null> {
  const whole = runs.filter(({ interrupted }) => !interrupted);
  const numbers = whole.map(({ accuracy, epochs, seconds }) => ({ accuracy, epochs, seconds }));
  const summary = numbers.length > 0 ? meanErrorOf(numbers) : { mean: null, standardError: null };
  return { runs, ...summary, interrupted: whole.length < expected } as Several<TrainReport, TrainMean | null>;
}

export type AttackMean = Pick<AttackReport, "epsilon" | "budget" | "accuracy" | "score">;

/** Mean and standard error over seeds, for each budget. */
export function summariseAttacks(runs: readonly AttackReport[], expected: number): Several<AttackReport, AttackMean[]> {
  const whole = runs.filter(({ interrupted }) => !interrupted);
  const epsilons = [...new Set(whole.map(({ epsilon }) => epsilon))];
  const summaries = epsilons.map((epsilon) => {
    const same = whole.filter((run) => run.epsilon === epsilon);
    const { budget } = same[0];
    const { mean, standardError } = meanErrorOf(same.map(({ accuracy, score }) => ({ accuracy, score })));
    return { mean: { epsilon, budget, ...mean }, standardError: { epsilon, budget, ...standardError } };
  });
  return {
    runs,
    mean: summaries.map(({ mean }) => mean),
    standardError: summaries.map(({ standardError }) => standardError),
    interrupted: whole.length < expected,
  };
}
