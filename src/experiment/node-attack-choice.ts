import { localAttacks } from "../attack/local/local-attacks.ts";
import { checkLocalBudget } from "../attack/local/local-budget.ts";
import type { Influence, LocalBudget } from "../attack/local/local-task.ts";
import { check, lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import type { Session } from "./session.ts";
import type { NamedChoice, TrainedChoice } from "./trained-model.ts";

/** The victim (`model`), which of its nodes to attack one by one, how, and how the victim is evaluated. */
export interface NodeAttackChoice extends TrainedChoice {
  readonly attack: string;
  /** Default: those that the published experiments would select, see {@link selectNodes}. */
  readonly nodes?: ArrayLike<number>;
  /** Number of the class to attack towards; nodes of that class are left out. */
  readonly towards?: number;
  readonly influence?: Influence;
  /** The model on which the flips are found. Default: the attack's own, or the victim. */
  readonly surrogate?: string;
  /** Train the victim anew on each perturbed graph before the node is evaluated. */
  readonly poison?: boolean;
  /** Options of the attack itself. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Budget of each node: a number of flips, or a share of its degree (by default half). */
export interface NodeBudgetChoice {
  readonly epsilon?: number;
  readonly budget?: number;
  /** Ask for the fewest flips that reach the goal; at most 20 are tried if no budget is given. */
  readonly minimal?: boolean;
}

const DEFAULT_SHARE = 0.5;
const MOST_MINIMAL = 20;

/** The task's budget for a choice. */
export function localBudget({ epsilon, budget, minimal = false }: NodeBudgetChoice): LocalBudget {
  check(budget === undefined || epsilon === undefined, () => "--budget and --epsilon say the same; give one of them");
  if (budget !== undefined) return { flips: budget, minimal };
  if (minimal && epsilon === undefined) return { flips: MOST_MINIMAL, minimal };
  return { share: epsilon ?? DEFAULT_SHARE, minimal };
}

/** Mistakes in a choice fail here, before anything is trained. */
export function checkNodeAttack(
  session: Session,
  choice: NodeAttackChoice,
  budgets: readonly NodeBudgetChoice[],
): void {
  const { attack, options = {}, surrogate, poison, weights } = choice;
  const kind = lookup(localAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  check(
    surrogate === undefined || kind.looksAtModel,
    () => `${attack} does not look at a model; leave out --surrogate`,
  );
  check(!poison || weights === undefined, () => "a poisoned model is trained anew; leave out --weights");
  check(
    !kind.undirected || !session.graph.directed,
    () => `${attack} attacks undirected graphs only; leave out --directed`,
  );
  for (const budget of budgets) checkLocalBudget(localBudget(budget));
}

/** The name of the model on which the flips are found. */
export function surrogateOf({ attack, model, surrogate }: NamedChoice<NodeAttackChoice>): string {
  return surrogate ?? localAttacks[attack].surrogate ?? model;
}
