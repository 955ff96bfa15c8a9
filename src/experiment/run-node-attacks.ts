import type { LocalResult } from "../attack/local/local-result.ts";
import { unseen } from "../attack/local/neighbourhood.ts";
import { Interrupted } from "../core/errors.ts";
import { PreparedNodes } from "./attack-nodes.ts";
import { type LocalAttackReport, localReport } from "./local-report.ts";
import { meanErrorOf, type NumbersOrNull } from "./mean-error.ts";
import { checkNodeAttack, type NodeAttackChoice, type NodeBudgetChoice } from "./node-attack-choice.ts";
import type { Several } from "./run-several.ts";
import type { Session } from "./session.ts";
import { checkModel, type RunWatch } from "./trained-model.ts";

/** Neighbourhoods that a run keeps: they are for pictures, and those of a hundred thousand nodes would take all memory. */
const MOST_NEIGHBOURHOODS = 1000;

/** An attack on several nodes, one by one: its report and its full results. */
export interface LocalAttackRun {
  readonly report: LocalAttackReport;
  readonly results: readonly LocalResult[];
}

/**
 * Attacks with each of the choices, which differ by seed, and with every budget; each victim is trained once. If
 * interrupted, it keeps the nodes that are finished; if interrupted while the first victim is trained, it throws
 * {@link Interrupted}.
 *
 * @example
 * const session = await openSession({ dataset: "cora_ml" });
 * const choice = { attack: "nettack", model: "gcn", seed: 0 };
 * for await (const { report } of attackNodes(session, [choice], [{ epsilon: 0.5 }])) console.log(report.successRate);
 */
export async function* attackNodes(
  session: Session,
  choices: readonly NodeAttackChoice[],
  budgets: readonly NodeBudgetChoice[],
  watch: RunWatch = {},
): AsyncGenerator<LocalAttackRun> {
  for (const choice of choices) {
    checkModel(session, choice);
    checkNodeAttack(session, choice, budgets);
  }
  let isFirst = true;
  for (const choice of choices) {
    const prepared = await open(session, choice, budgets, watch, isFirst);
    if (!prepared) return;
    try {
      for (const budget of ascending(budgets)) {
        if (!isFirst && watch.signal?.aborted) return;
        isFirst = false;
        yield await attackWith(session, prepared, budget, watch);
      }
    } finally {
      prepared.dispose();
    }
  }
}

async function open(
  session: Session,
  choice: NodeAttackChoice,
  budgets: readonly NodeBudgetChoice[],
  watch: RunWatch,
  isFirst: boolean,
): Promise<PreparedNodes | null> {
  if (!isFirst && watch.signal?.aborted) return null;
  try {
    return await PreparedNodes.open(session, choice, budgets, watch);
  } catch (error) {
    if (error instanceof Interrupted && !isFirst) return null;
    throw error;
  }
}

async function attackWith(
  session: Session,
  prepared: PreparedNodes,
  budget: NodeBudgetChoice,
  watch: RunWatch,
): Promise<LocalAttackRun> {
  const nodes = await prepared.nodesFor(budget, watch);
  const results: LocalResult[] = [];
  for await (const result of prepared.attack(nodes, budget, watch)) {
    const isSeen = results.length < MOST_NEIGHBOURHOODS;
    results.push(isSeen ? result : { ...result, neighbourhood: unseen });
  }
  return { results, report: localReport(session, prepared, budget, results, nodes.length) };
}

/** The order in which the published experiments draw nodes for their budgets. */
function ascending(budgets: readonly NodeBudgetChoice[]): NodeBudgetChoice[] {
  return [...budgets].sort((a, b) => (a.epsilon ?? 0) - (b.epsilon ?? 0));
}

export type LocalAttackMean = Pick<LocalAttackReport, "epsilon" | "budget"> & { readonly successRate: number };

/** Mean and standard error over seeds, for each budget. */
export function summariseNodeAttacks(
  runs: readonly LocalAttackReport[],
  expected: number,
): Several<LocalAttackReport, LocalAttackMean[]> {
  const whole = runs.filter(({ interrupted }) => !interrupted);
  const epsilons = [...new Set(whole.map(({ epsilon }) => epsilon))];
  const summaries = epsilons.map((epsilon) => {
    const same = whole.filter((run) => run.epsilon === epsilon);
    const { budget } = same[0];
    const { mean, standardError } = meanErrorOf(same.map(({ successRate }) => ({ successRate: successRate! })));
    return { mean: { epsilon, budget, ...mean }, standardError: { epsilon, budget, ...standardError } };
  });
  return {
    runs,
    mean: summaries.map(({ mean }) => mean),
    standardError: summaries.map(({ standardError }) => standardError) as NumbersOrNull<LocalAttackMean[]>,
    interrupted: whole.length < expected,
  };
}
